import { z } from 'zod';

/** Where a stored image is downloaded; also how an anamnesis names it. */
export const imagePath = (uuid: string) => `/api/common/images/${uuid}`;

/** A stored image. All figures describe the stored bytes: without metadata, before `orientation` is applied. */
export const StoredImageReply = z
  .object({
    uuid: z.uuid(),
    url: z.string().meta({ description: 'Path of the download, relative to this service' }),
    sha256: z.string().meta({ description: 'Of the stored bytes, in hexadecimal' }),
    contentType: z.enum(['image/jpeg', 'image/png']),
    widthPx: z.int(),
    heightPx: z.int(),
    sizeBytes: z.int(),
    orientation: z.int().meta({ description: 'EXIF orientation, 1 to 8; 1 is upright' }),
  })
  .meta({ id: 'StoredImage' });
export type StoredImageReply = z.infer<typeof StoredImageReply>;

export const StoredImages = z
  .object({ images: z.array(StoredImageReply).meta({ description: 'In the order sent' }) })
  .meta({ id: 'StoredImages' });
export type StoredImages = z.infer<typeof StoredImages>;
