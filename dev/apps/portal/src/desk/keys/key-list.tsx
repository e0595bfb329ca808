import { Fragment, type JSX } from 'preact';
import { Modal } from '../parts/modal.tsx';
import { deskTexts } from '../i18n/texts.ts';
import { DownIcon, LeftIcon, RightIcon, UpIcon } from '../../ui/icons.tsx';
import { activeKeys, singleKeys, switchSingleKeys } from './use-keys.ts';

/** Every key that works on the screen behind it. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const { keys } = deskTexts.value;
  const listed = new Map(activeKeys.peek().flatMap((group) => group.map((key) => [key.press, key.label])));
  return (
    <Modal title={keys.title} onClose={onClose}>
      <dl class="keys">
        {[...listed].map(([press, label]) => (
          <Fragment key={press}>
            <dt>
              <Press press={press} />
            </dt>
            <dd>{label}</dd>
          </Fragment>
        ))}
      </dl>
      <label class="inline">
        <input
          type="checkbox"
          role="switch"
          checked={singleKeys.value}
          onChange={({ currentTarget }) => switchSingleKeys(currentTarget.checked)}
        />
        {keys.singleOn}
      </label>
      <p class="small">{keys.notInFields}</p>
    </Modal>
  );
}

const names: Readonly<Record<string, string>> = {
  $mod: /Mac|iP/.test(navigator.userAgent) ? '⌘' : 'Ctrl',
  Escape: 'Esc',
};

/** The portal's typeface has no arrows. */
const arrows: Readonly<Record<string, () => JSX.Element>> = {
  ArrowUp: UpIcon,
  ArrowDown: DownIcon,
  ArrowLeft: LeftIcon,
  ArrowRight: RightIcon,
};

function Press({ press }: { press: string }) {
  const parts = press === '+' ? ['+'] : press.split('+');
  return (
    <span dir="ltr">
      {parts.map((part) => (
        <Key key={part} name={part} />
      ))}
    </span>
  );
}

function Key({ name }: { name: string }) {
  const Arrow = arrows[name];
  if (Arrow === undefined) return <kbd>{names[name] ?? name}</kbd>;
  return (
    <kbd>
      <span class="visually-hidden">{name}</span>
      <Arrow />
    </kbd>
  );
}
