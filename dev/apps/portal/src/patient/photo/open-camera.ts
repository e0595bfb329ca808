export type CameraRefusal = 'refused' | 'noCamera';

/** Opens the rear camera where there are two. The caller stops the tracks. */
export async function openCamera(): Promise<MediaStream | CameraRefusal> {
  // Undefined on pages from neither https nor localhost.
  if (navigator.mediaDevices === undefined) return 'noCamera';
  try {
    const video = { facingMode: 'environment', width: { ideal: 2560 }, height: { ideal: 1920 } };
    return await navigator.mediaDevices.getUserMedia({ video, audio: false });
  } catch (error) {
    return error instanceof DOMException && error.name === 'NotAllowedError' ? 'refused' : 'noCamera';
  }
}

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
