import { z } from 'zod';

/** Where a stored image is downloaded; also how an anamnesis names it. */
export const imagePath = (uuid: string) => `/api/common/images/${uuid}`;

export const ImageVariant = z
  .enum(['original', 'thumbnail'])
  .meta({ id: 'ImageVariant', description: '`thumbnail`: upright JPEG, longest side at most 512 px.' });
export type ImageVariant = z.infer<typeof ImageVariant>;

/** A stored image. All figures describe the stored bytes: without metadata, before `orientation` is applied. */
export const StoredImageReply = z
  .object({
    uuid: z.uuid().meta({ description: 'Stays the same when the same owner stores the same photo again.' }),
    url: z.string().meta({
      description: 'Path of the download, relative to this service; also how an anamnesis names it.',
    }),
    sha256: z.string().meta({ description: 'SHA-256 of the stored bytes, in hexadecimal.' }),
    contentType: z
      .enum(['image/jpeg', 'image/png'])
      .meta({ id: 'StoredImageType', description: 'Content type of the stored bytes.' }),
    widthPx: z.int().meta({ minimum: 1, description: 'Width in pixels, before `orientation` is applied.' }),
    heightPx: z.int().meta({ minimum: 1, description: 'Height in pixels, before `orientation` is applied.' }),
    sizeBytes: z
      .int()
      .meta({ minimum: 1, description: 'Bytes stored, without the metadata that was removed.' }),
    orientation: z.int().meta({ minimum: 1, maximum: 8, description: 'EXIF orientation; 1 is upright.' }),
  })
  .meta({ id: 'StoredImage', description: 'A stored photo; all figures are of the stored bytes.' });
export type StoredImageReply = z.infer<typeof StoredImageReply>;

export const StoredImages = z
  .object({
    images: z.array(StoredImageReply).meta({ description: 'One for each file, in the order sent.' }),
  })
  .meta({ id: 'StoredImages', description: 'What an upload has stored.' });
export type StoredImages = z.infer<typeof StoredImages>;
