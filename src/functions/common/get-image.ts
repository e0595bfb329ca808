import { z } from 'zod';
import { auditEvents } from '../../contract/audit.ts';
import { ImageVariant } from '../../domain/media/images/image.schemas.ts';
import { readImage } from '../../domain/media/images/read-image.ts';
import { imageReply, replyWithImage } from '../../lib/http/image-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import type { RawReply } from '../../lib/http/raw-reply.ts';

export const getImage = endpoint({
  name: 'getImage',
  method: 'GET',
  route: 'api/common/images/{uuid}',
  tag: 'Images',
  summary: 'Download a stored photo or its thumbnail',
  description:
    'Visible to its owner, and to physicians and admins who may see a case that it is in; for all others it does not exist. ' +
    'Answers `If-None-Match` with 304, and one `Range` of the original with 206. Every download by a reader other than the ' +
    'owner is recorded.',
  auth: 'any',
  quota: 'downloads',
  ...imageReply,
  audit: auditEvents.imageRead,
  params: z.object({ uuid: z.uuid().meta({ description: 'UUID of the stored photo.' }) }),
  query: z.object({ variant: ImageVariant.default('original') }),
  async handler({ params: { uuid }, query: { variant }, actor, context, request }): Promise<RawReply> {
    return await replyWithImage(request, await readImage(context, actor, { uuid, variant }));
  },
});
