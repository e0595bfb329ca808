import { useEffect, useRef, useState } from 'preact/hooks';
import { unlessLeft } from '../../gateway/gateway.ts';
import { texts } from '../../i18n/language.ts';
import { type CameraRefusal, closeCamera, openCamera } from './open-camera.ts';
import { captureFrame } from './prepare-photo.ts';

interface LiveCameraProps {
  onPhoto: (photo: Blob) => void;
  onRefused: (why: CameraRefusal) => void;
  onCancel: () => void;
}

/** The camera picture with a shutter button. Unmounting turns the camera off. */
export function LiveCamera({ onPhoto, onRefused, onCancel }: LiveCameraProps) {
  const { common, photo } = texts.value;
  const video = useRef<HTMLVideoElement>(null);
  const shutter = useRef<HTMLButtonElement>(null);
  const [ready, setReady] = useState(false);

  useEffect(() => {
    let stream: MediaStream | undefined;
    let left = false;
    async function start() {
      const opened = await openCamera();
      if (typeof opened === 'string') {
        if (!left) onRefused(opened);
        return;
      }
      stream = opened;
      if (left || video.current === null) closeCamera(opened);
      else video.current.srcObject = opened;
    }
    void start();
    return () => {
      left = true;
      if (stream !== undefined) closeCamera(stream);
    };
  }, []);
  useEffect(() => {
    if (ready) shutter.current?.focus();
  }, [ready]);

  async function take() {
    const frame = video.current && (await unlessLeft(captureFrame(video.current)));
    if (frame) onPhoto(frame);
  }

  return (
    <div class="camera">
      <video
        ref={video}
        aria-label={photo.cameraLabel}
        autoplay
        muted
        playsInline
        onLoadedData={() => setReady(true)}
      />
      {!ready && (
        <p class="starting" role="status">
          {photo.starting}
        </p>
      )}
      <div class="actions">
        <button type="button" class="secondary outline" onClick={onCancel}>
          {common.cancel}
        </button>
        <button type="button" ref={shutter} disabled={!ready} onClick={() => void take()}>
          {photo.shutter}
        </button>
      </div>
    </div>
  );
}
