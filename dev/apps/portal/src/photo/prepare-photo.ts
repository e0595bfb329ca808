import { drawJpeg, fitPhoto } from 'dermagate-client';

/** A photo that the gateway takes; undefined when the browser cannot open the file as a picture. */
export const preparePhoto = (file: Blob): Promise<Blob | undefined> => fitPhoto(file);

/** The picture of this moment, at the camera's own resolution. */
export async function captureFrame(video: HTMLVideoElement): Promise<Blob | undefined> {
  return await drawJpeg(video, { width: video.videoWidth, height: video.videoHeight });
}
