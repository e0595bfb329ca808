import type { RequestOptions, TestApp } from './app.ts';
import { imagePart, upload } from './diagnosis.ts';
import type { Part } from './multipart.ts';

export interface StoredImage {
  uuid: string;
  url: string;
  sha256: string;
  contentType: string;
  widthPx: number;
  heightPx: number;
  sizeBytes: number;
  orientation: number;
}

export interface StoreAnswer {
  status: number;
  replayed: boolean;
  code?: string;
  detail?: string;
  errors?: { pointer: string; code: string }[];
  images: StoredImage[];
}

type Answering = Pick<TestApp, 'request'>;

/** The part of an upload that holds one photo. */
export const photoPart = (body: Uint8Array, changes: Partial<Part> = {}): Part =>
  imagePart(body, { name: 'images', ...changes });

/** Sends photos to POST /api/common/store_images. */
export async function storeImages(
  app: Answering,
  token: string,
  photos: readonly (Uint8Array | Part)[],
  options: RequestOptions = {},
): Promise<StoreAnswer> {
  const parts = photos.map((photo) => (photo instanceof Uint8Array ? photoPart(photo) : photo));
  const reply = await app.request('/api/common/store_images', upload(parts, { token, ...options }));
  const body = (await reply.json()) as Omit<StoreAnswer, 'status' | 'replayed'>;
  return { ...body, status: reply.status, replayed: reply.headers.get('idempotency-replayed') === 'true' };
}

/** As {@link storeImages} for one photo that must be accepted. */
export async function storePhoto(app: Answering, token: string, photo: Uint8Array): Promise<StoredImage> {
  const { status, images, code } = await storeImages(app, token, [photo]);
  const [image] = images ?? [];
  if (status !== 201 || image === undefined) throw new Error(`store_images: ${status} ${code}`);
  return image;
}

/** The names of all blobs of this app's container. */
export async function blobNames(app: Pick<TestApp, 'blobs'>): Promise<string[]> {
  const names: string[] = [];
  for await (const blob of app.blobs.listBlobsFlat()) names.push(blob.name);
  return names;
}
