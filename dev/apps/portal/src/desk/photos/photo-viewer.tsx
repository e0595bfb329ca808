import { useEffect, useRef, useState } from 'preact/hooks';
import { deskTexts } from '../i18n/texts.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Modal } from '../parts/modal.tsx';
import { RotateIcon } from '../../ui/icons.tsx';
import { follow, pan, type Viewer, zoomBy, zoomToPixels } from './open-seadragon.ts';
import { type Light, PhotoPane } from './photo-pane.tsx';
import type { ViewedPhoto } from './viewed-photo.ts';

const asTaken: Light = { brightness: 100, contrast: 100 };
/** Share of what is seen. */
const STEP = 0.15;

interface PhotoViewerProps {
  photos: readonly ViewedPhoto[];
  /** Index of the photo that is shown first. */
  start: number;
  onClose: () => void;
}

/** Photos at full size, one or two beside each other. */
export default function PhotoViewer({ photos, start, onClose }: PhotoViewerProps) {
  const { photos: words } = deskTexts.value;
  const [index, setIndex] = useState(start);
  const [other, setOther] = useState<number>();
  const [linked, setLinked] = useState(true);
  const [light, setLight] = useState(asTaken);
  const viewers = useRef<[Viewer | undefined, Viewer | undefined]>([undefined, undefined]);
  const [mounted, setMounted] = useState(0);
  const keep = (at: 0 | 1) => (viewer: Viewer | undefined) => {
    viewers.current[at] = viewer;
    setMounted((count) => count + 1);
  };
  const all = (act: (viewer: Viewer) => void) => {
    const [first, second] = viewers.current;
    if (first !== undefined) act(first);
    // Apart, keys and buttons move the first one; the second follows the pointer.
    else if (second !== undefined) act(second);
  };
  useEffect(() => {
    const [first, second] = viewers.current;
    if (!linked || first === undefined || second === undefined) return undefined;
    return link(first, second);
  }, [linked, mounted]);
  const step = (by: number) => setIndex((index + by + photos.length) % photos.length);
  const rotate = () => all(({ viewport }) => void viewport.setRotation(viewport.getRotation() + 90));
  const fit = () =>
    all(({ viewport }) => {
      viewport.setRotation(0);
      viewport.goHome();
    });
  const tools = [
    { press: '+', label: words.zoomIn, sign: '+', run: () => all((viewer) => zoomBy(viewer, 1.5)) },
    { press: '-', label: words.zoomOut, sign: '−', run: () => all((viewer) => zoomBy(viewer, 1 / 1.5)) },
    { press: '0', label: words.fit, sign: undefined, run: fit },
    { press: '1', label: `1:1 ${words.pixel}`, sign: '1:1', run: () => all(zoomToPixels) },
    { press: 'r', label: words.rotate, sign: <RotateIcon />, run: rotate },
  ];
  useKeys(
    [
      ...tools,
      { press: 'ArrowLeft', label: words.panLeft, run: () => all((viewer) => pan(viewer, -STEP, 0)) },
      { press: 'ArrowRight', label: words.panRight, run: () => all((viewer) => pan(viewer, STEP, 0)) },
      { press: 'ArrowUp', label: words.panUp, run: () => all((viewer) => pan(viewer, 0, -STEP)) },
      { press: 'ArrowDown', label: words.panDown, run: () => all((viewer) => pan(viewer, 0, STEP)) },
      { press: 'j', label: words.nextPhoto, run: () => step(1) },
      { press: 'k', label: words.previousPhoto, run: () => step(-1) },
    ],
    { inDialog: true },
  );
  const first = photos[index];
  const second = other === undefined ? undefined : photos[other];
  return (
    <Modal title={words.viewer} onClose={onClose} class="viewer">
      <div class="panes">
        {first !== undefined && <PhotoPane key={first.uuid} photo={first} light={light} onViewer={keep(0)} />}
        {second !== undefined && (
          <PhotoPane key={`2 ${second.uuid}`} photo={second} light={light} onViewer={keep(1)} />
        )}
      </div>
      <div class="viewer-tools">
        <div class="group">
          {tools.map(({ press, label, sign, run }) => (
            <button
              key={press}
              type="button"
              class="secondary outline"
              aria-label={label}
              aria-keyshortcuts={press}
              title={`${label} (${press})`}
              onClick={run}
            >
              {sign ?? label}
            </button>
          ))}
        </div>
        <PhotoSelect
          label={words.title}
          photos={photos}
          value={index}
          onChange={(chosen) => setIndex(chosen ?? 0)}
        />
        {photos.length > 1 && (
          <PhotoSelect
            label={words.compare}
            photos={photos}
            value={other}
            none={words.single}
            onChange={setOther}
          />
        )}
        {second !== undefined && (
          <label class="inline">
            <input type="checkbox" checked={linked} onChange={() => setLinked(!linked)} />
            {words.linked}
          </label>
        )}
        <Slider
          label={words.brightness}
          value={light.brightness}
          onInput={(brightness) => setLight({ ...light, brightness })}
        />
        <Slider
          label={words.contrast}
          value={light.contrast}
          onInput={(contrast) => setLight({ ...light, contrast })}
        />
        <button type="button" class="secondary outline" onClick={() => setLight(asTaken)}>
          {words.reset}
        </button>
      </div>
    </Modal>
  );
}

/** Both show the same part from now on, whichever is moved. */
function link(first: Viewer, second: Viewer): () => void {
  let isFollowing = false;
  const lead = (from: Viewer, to: Viewer) => () => {
    if (isFollowing || from.world.getItemCount() === 0 || to.world.getItemCount() === 0) return;
    isFollowing = true;
    follow(from, to);
    isFollowing = false;
  };
  const leads = [lead(first, second), lead(second, first)] as const;
  first.addHandler('animation', leads[0]);
  second.addHandler('animation', leads[1]);
  return () => {
    first.removeHandler('animation', leads[0]);
    second.removeHandler('animation', leads[1]);
  };
}

interface PhotoSelectProps {
  label: string;
  photos: readonly ViewedPhoto[];
  value: number | undefined;
  /** Offers none, under this name. */
  none?: string;
  onChange: (index: number | undefined) => void;
}

function PhotoSelect({ label, photos, value, none, onChange }: PhotoSelectProps) {
  return (
    <label>
      <span class="small">{label}</span>
      <select
        value={value === undefined ? '' : String(value)}
        onChange={({ currentTarget: { value: text } }) => onChange(text === '' ? undefined : Number(text))}
      >
        {none !== undefined && <option value="">{none}</option>}
        {photos.map((photo, index) => (
          <option key={photo.uuid} value={String(index)}>
            {photo.label}
          </option>
        ))}
      </select>
    </label>
  );
}

function Slider({
  label,
  value,
  onInput,
}: {
  label: string;
  value: number;
  onInput: (value: number) => void;
}) {
  return (
    <label>
      <span class="small">{label}</span>
      <input
        type="range"
        min="40"
        max="220"
        step="5"
        value={value}
        onInput={({ currentTarget }) => onInput(Number(currentTarget.value))}
      />
    </label>
  );
}
