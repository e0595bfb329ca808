import { z } from 'zod';
import { findVisibleImage } from '../../domain/media/images/find-visible-image.ts';
import { readThumbnail } from '../../domain/media/images/thumbnail.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import type { RawReply } from '../../lib/http/raw-reply.ts';
import { matchesEtag, requestedRange } from '../../lib/http/byte-range.ts';
import { auditEvents } from '../../contract/audit.ts';
import { Problem } from '../../contract/problem.ts';

export const getImage = endpoint({
  name: 'getImage',
  method: 'GET',
  route: 'api/common/images/{uuid}',
  tag: 'Images',
  summary: 'A stored photo, or its thumbnail',
  description:
    'For its owner and for physicians and admins of the tenant; for everybody else it does not exist. Answers ' +
    '`If-None-Match` with 304, and one `Range` of the original with 206. Somebody else than the owner looking at it is ' +
    'recorded.',
  auth: 'any',
  quota: 'downloads',
  reads: ['if-none-match', 'range', 'if-range'],
  sends: ['ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Disposition'],
  audit: auditEvents.imageRead,
  params: z.object({ uuid: z.uuid().meta({ description: 'Of the stored photo.' }) }),
  query: z.object({
    variant: z
      .enum(['original', 'thumbnail'])
      .default('original')
      .meta({ id: 'ImageVariant', description: '`thumbnail`: upright JPEG, longest side at most 512 px.' }),
  }),
  reply: {
    status: 200,
    description: 'The bytes as stored; 206 for a part, 304 when unchanged.',
    raw: 'image/jpeg',
    otherTypes: ['image/png'],
    alternatives: { 206: 'The part that `Range` asked for.', 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: ['not_found', 'range_not_satisfiable', 'rate_limited', 'busy'],
  async handler({ params, query, actor, request, context }): Promise<RawReply> {
    const { db, blobs, images, audit, log } = context;
    const image = await findVisibleImage(db, actor, params.uuid, audit);
    const thumbnail = query.variant === 'thumbnail';
    const etag = `"${image.sha256.toString('hex')}${thumbnail ? '-512' : ''}"`;
    const headers = {
      etag,
      // No copy stays on a computer that patients share. An app that keeps photos itself asks with the ETag.
      'cache-control': 'no-store',
      'accept-ranges': thumbnail ? 'none' : 'bytes',
      vary: 'Origin, Authorization',
      'content-type': thumbnail ? 'image/jpeg' : image.content_type,
      'content-disposition': `inline; filename="${thumbnail ? `${image.uuid}-thumbnail.jpg` : image.name}"`,
      'cross-origin-resource-policy': 'same-site',
    };
    if (matchesEtag(request.ifNoneMatch, etag)) return { status: 304, body: '', headers };
    if (thumbnail) {
      return {
        body: await readThumbnail(image, { db, blobs, images, tenantId: actor.tenantId, log }),
        headers,
      };
    }
    const fresh = request.ifRange === undefined || request.ifRange === etag;
    const range = fresh ? requestedRange(request.range, image.size_bytes) : undefined;
    const body = await blobs.get(image.blob_name, range);
    if (body === undefined) throw new Problem('not_found');
    if (range === undefined) return { body, headers };
    const last = range.offset + range.count - 1;
    const contentRange = `bytes ${range.offset}-${last}/${image.size_bytes}`;
    return { status: 206, body, headers: { ...headers, 'content-range': contentRange } };
  },
});
