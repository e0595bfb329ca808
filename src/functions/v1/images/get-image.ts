import { z } from 'zod';
import { auditEvents } from '../../../contract/audit.ts';
import { ImageReference } from '../../../domain/cases/record/case-image.schemas.ts';
import { readPhoto } from '../../../domain/cases/photos/read-photo.ts';
import { imageReply, replyWithImage } from '../../../lib/http/image-reply.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import type { RawReply } from '../../../lib/http/raw-reply.ts';

export const v1ImagesGetImage = endpoint({
  name: 'v1ImagesGetImage',
  method: 'GET',
  route: 'api/v1/images/{*path}',
  tag: 'Images',
  summary: 'Download an image or its thumbnail by the path in a case',
  description:
    'For its owner, and for physicians and admins who may see a case that contains it; for others the reply is 404. ' +
    'Supports `If-None-Match` (304) and a single `Range` of the original (206). Each download by a reader other than ' +
    'the owner is recorded.',
  auth: 'any',
  quota: 'downloads',
  ...imageReply,
  audit: auditEvents.imageRead,
  params: z.object({
    path: ImageReference.meta({ description: '`<uuid>.jpg`, `<uuid>.png` or `<uuid>/thumbnail.jpg`.' }),
  }),
  missing: 'image_not_found',
  async handler({ params: { path }, actor, context, request }): Promise<RawReply> {
    return await replyWithImage(request, await readPhoto(context, actor, path));
  },
});
