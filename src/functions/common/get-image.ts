import { z } from 'zod';
import { auditEvents } from '../../contract/audit.ts';
import { ImageVariant } from '../../domain/media/images/image.schemas.ts';
import { readImage } from '../../domain/media/images/read-image.ts';
import { conditionalReply } from '../../lib/http/conditional-reply.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import type { RawReply } from '../../lib/http/raw-reply.ts';

export const getImage = endpoint({
  name: 'getImage',
  method: 'GET',
  route: 'api/common/images/{uuid}',
  tag: 'Images',
  summary: 'Download a stored photo or its thumbnail',
  description:
    'Visible to its owner and to physicians and admins of the tenant; for all others it does not exist. Answers ' +
    '`If-None-Match` with 304, and one `Range` of the original with 206. Every download by a reader other than the owner ' +
    'is recorded.',
  auth: 'any',
  quota: 'downloads',
  reads: ['if-none-match', 'range', 'if-range'],
  sends: ['ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Disposition'],
  audit: auditEvents.imageRead,
  params: z.object({ uuid: z.uuid().meta({ description: 'UUID of the stored photo.' }) }),
  query: z.object({ variant: ImageVariant.default('original') }),
  reply: {
    status: 200,
    description: 'The bytes as stored; 206 for a part, 304 when unchanged.',
    raw: 'image/jpeg',
    otherTypes: ['image/png'],
    alternatives: { 206: 'The part that `Range` asked for.', 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: ['not_found', 'range_not_satisfiable', 'rate_limited', 'busy'],
  async handler({ params: { uuid }, query: { variant }, actor, context, request }): Promise<RawReply> {
    const image = await readImage(context, actor, { uuid, variant });
    return await conditionalReply(request, image, {
      // No copy stays on a computer that patients share. An app that stores photos itself revalidates with the ETag.
      'cache-control': 'no-store',
      vary: 'Origin, Authorization',
      'content-disposition': `inline; filename="${image.fileName}"`,
      'cross-origin-resource-policy': 'same-site',
    });
  },
});
