import { z } from 'zod';
import { auditEvents } from '../../../../contract/audit.ts';
import { readNamedPhoto } from '../../../../domain/cases/photos/read-photo.ts';
import { ImageVariant } from '../../../../domain/media/images/image.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { imageReply, replyWithImage } from '../../../../lib/http/image-reply.ts';
import type { RawReply } from '../../../../lib/http/raw-reply.ts';

export const v1BackofficeGetImage = endpoint({
  name: 'v1BackofficeGetImage',
  method: 'GET',
  route: 'api/v1/backoffice/images/{imgid}',
  tag: 'Backoffice',
  summary: 'Download an image of a case, or its thumbnail',
  description:
    'For physicians and admins who may see a case that contains the image; for others the reply is 404. Supports ' +
    '`If-None-Match` (304) and a single `Range` of the original (206). Each download of another person’s image is ' +
    'recorded.',
  auth: 'physician-level',
  quota: 'downloads',
  ...imageReply,
  audit: auditEvents.imageRead,
  params: z.object({
    imgid: z
      .string()
      .max(64)
      .meta({ description: 'UUID of the photo, or its name: `<uuid>.jpg` or `<uuid>.png`.' }),
  }),
  missing: 'image_not_found',
  query: z.object({ variant: ImageVariant.default('original') }),
  async handler({ params: { imgid }, query: { variant }, actor, context, request }): Promise<RawReply> {
    return await replyWithImage(request, await readNamedPhoto(context, actor, imgid, variant));
  },
});
