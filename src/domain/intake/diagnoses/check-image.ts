import type { TenantActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import { acceptImage } from '../../media/images/accept-image.ts';
import { type ImageSource, readImageSource } from '../../media/images/image-source.ts';
import { askAi } from '../ai-calls/ask-ai.ts';
import { type ImageValidity, ImageValidityReply } from './diagnosis.schemas.ts';

/**
 * The AI service's verdict on a photo: one that was uploaded, or one that a JSON body carries or names. It is not stored.
 * @param timeoutMs of the call; `AI_TIMEOUT_MS` where absent.
 * @throws {Problem} `invalid_image`, `validation_error`, `not_found`, `payload_too_large`, `rate_limited`, `busy`;
 *   {AiFailure}, {BlobUnavailable}
 */
export async function checkImage(
  context: Context,
  actor: TenantActor,
  photo: Uint8Array | ImageSource,
  { timeoutMs }: { timeoutMs?: number } = {},
): Promise<ImageValidity> {
  const image =
    photo instanceof Uint8Array
      ? await acceptImage(photo, context.images, '/image')
      : await readImageSource(context, actor, photo);
  const body = { image: image.pieces, contentType: image.facts.type };
  return await askAi(context, actor, {
    kind: 'image_validity',
    needed: { image_validity: { body, reply: ImageValidityReply } },
    toAnswer: ({ image_validity: answer }) => ({ answer }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}
