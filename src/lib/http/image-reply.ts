import { conditionalReply, type Representation } from './conditional-reply.ts';
import type { HttpFacts } from './endpoint.ts';
import type { RawReply } from './raw-reply.ts';

/** What an endpoint that replies with a stored photo declares. */
export const imageReply = {
  reads: ['if-none-match', 'range', 'if-range'],
  sends: ['ETag', 'Cache-Control', 'Accept-Ranges', 'Content-Disposition'],
  reply: {
    status: 200,
    description: 'The bytes as stored; 206 for a part, 304 when unchanged.',
    raw: 'image/jpeg',
    otherTypes: ['image/png'],
    alternatives: { 206: 'The part that `Range` asked for.', 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: ['not_found', 'range_not_satisfiable', 'rate_limited', 'busy'],
} as const;

/**
 * The photo, a part of it, or 304 where the client has it.
 * @throws {Problem} `range_not_satisfiable`, those of `image.read`
 */
export async function replyWithImage(
  request: Pick<HttpFacts, 'ifNoneMatch' | 'ifRange' | 'range'>,
  image: Representation & { fileName: string },
): Promise<RawReply> {
  return await conditionalReply(request, image, {
    // No copy stays on a computer that patients share. An app that stores photos itself revalidates with the ETag.
    'cache-control': 'no-store',
    vary: 'Origin, Authorization',
    'content-disposition': `inline; filename="${image.fileName}"`,
    'cross-origin-resource-policy': 'same-site',
  });
}
