import { z } from 'zod';
import { auditEvents } from '../../../contract/audit.ts';
import { readPhoto } from '../../../domain/cases/photos/read-photo.ts';
import { conditionalReply } from '../../../lib/http/conditional-reply.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import type { RawReply } from '../../../lib/http/raw-reply.ts';

export const v1ImagesGetImage = endpoint({
  name: 'v1ImagesGetImage',
  method: 'GET',
  route: 'api/v1/images/{*path}',
  tag: 'Images',
  summary: 'Download a photo or its thumbnail by the path that a case names',
  description:
    'Visible to its owner, and to physicians and admins who may see a case that it is in; for all others it does not exist. ' +
    'Answers `If-None-Match` with 304, and one `Range` of the original with 206. Every download by a reader other than the ' +
    'owner is recorded.',
  auth: 'any',
  quota: 'downloads',
  reads: ['if-none-match', 'range', 'if-range'],
  sends: ['ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Disposition'],
  audit: auditEvents.imageRead,
  params: z.object({
    path: z.string().max(64).meta({ description: '`<uuid>.jpg`, `<uuid>.png` or `<uuid>/thumbnail.jpg`.' }),
  }),
  missing: 'image_not_found',
  reply: {
    status: 200,
    description: 'The bytes as stored; 206 for a part, 304 when unchanged.',
    raw: 'image/jpeg',
    otherTypes: ['image/png'],
    alternatives: { 206: 'The part that `Range` asked for.', 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: ['not_found', 'range_not_satisfiable', 'rate_limited', 'busy'],
  async handler({ params: { path }, actor, context, request }): Promise<RawReply> {
    const image = await readPhoto(context, actor, path);
    return await conditionalReply(request, image, {
      'cache-control': 'no-store',
      vary: 'Origin, Authorization',
      'content-disposition': `inline; filename="${image.fileName}"`,
      'cross-origin-resource-policy': 'same-site',
    });
  },
});
