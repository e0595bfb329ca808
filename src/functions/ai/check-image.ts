import type { z } from 'zod';
import { askAi } from '../../domain/intake/ai-calls/ask-ai.ts';
import { ImageValidity, ImageValidityReply } from '../../domain/intake/diagnoses/diagnosis.schemas.ts';
import { acceptImage, imageLimits } from '../../domain/media/images/accept-image.ts';
import { ImageSource, readImageSource } from '../../domain/media/images/image-source.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const checkImage = endpoint({
  name: 'checkImage',
  method: 'POST',
  route: 'api/ai/image_validity',
  tag: 'AI',
  summary: 'Whether a photo is good enough for a diagnosis',
  description:
    'As multipart part `image`, or as JSON with the bytes in base64 or the path of a stored photo. A photo that is a JPEG ' +
    'or PNG but unusable (blurred, dark) is a 200 with `isValid: false` and its issues. The photo is not stored.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  audit: { category: 'ai', success: 'ai_image_validity', refusal: 'ai_image_validity' },
  reads: ['lang', 'tenant'],
  multipart: {
    id: 'PhotoForm',
    description: 'One photo.',
    maxBytes: imageLimits.maxBytes + 16 * 1024,
    fields: {},
    files: {
      image: {
        required: true,
        maxCount: 1,
        maxBytes: imageLimits.maxBytes,
        description: 'JPEG or PNG, at most 15 MB and 50 megapixels',
      },
    },
  },
  body: ImageSource,
  bodyLimit: Math.ceil(imageLimits.maxBytes / 3) * 4 + 1024,
  reply: { status: 200, description: 'The verdict with its reasons.', body: ImageValidity },
  problems: ['invalid_image', 'not_found', 'ai_unavailable', 'ai_invalid_reply', 'ai_timeout', 'busy'],
  async handler({ form, body, actor, context }) {
    const { config, db, ai, images, blobs, request, audit } = context;
    const [upload] = form.files.image ?? [];
    const reader = { db, blobs, images, actor, audit };
    const image =
      upload === undefined
        ? await readImageSource(body, reader)
        : await acceptImage(upload, images, '/image');
    return await askAi(
      {
        kind: 'image_validity',
        body: { image: image.pieces, contentType: image.facts.type },
        reply: ImageValidityReply,
        conclude: (verdict) => ({ answer: verdict satisfies z.infer<typeof ImageValidity> }),
      },
      { db, ai, actor, audit, request, timeoutMs: config.AI_TIMEOUT_MS },
    );
  },
});
