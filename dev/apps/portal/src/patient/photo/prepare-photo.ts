import { drawJpeg, fitPhoto } from 'dermagate-client';

/** A photo that the gateway accepts; undefined when the browser cannot open the file as an image. */
export const preparePhoto = (file: Blob): Promise<Blob | undefined> => fitPhoto(file);

/** The current frame, at the camera's own resolution. */
export async function captureFrame(video: HTMLVideoElement): Promise<Blob | undefined> {
  return await drawJpeg(video, { width: video.videoWidth, height: video.videoHeight });
}
