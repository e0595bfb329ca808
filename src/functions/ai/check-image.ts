import { checkImage as checkPhoto } from '../../domain/intake/diagnoses/check-image.ts';
import { ImageValidity } from '../../domain/intake/diagnoses/diagnosis.schemas.ts';
import { imageLimits } from '../../domain/media/images/accept-image.ts';
import { ImageSource } from '../../domain/media/images/image-source.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const checkImage = endpoint({
  name: 'checkImage',
  method: 'POST',
  route: 'api/ai/image_validity',
  tag: 'AI',
  summary: 'Check whether a photo is good enough for a diagnosis',
  description:
    'Send the photo as the multipart part `image`, or as JSON with its bytes in base64 or the path of a stored photo. A ' +
    'JPEG or PNG that is unusable (blurred, dark) gets a 200 with `isValid: false` and its issues. The photo is not stored.',
  auth: 'any-unless-public-ai',
  quota: 'ai',
  audit: { category: 'ai', success: 'ai_image_validity', refusal: 'ai_image_validity' },
  reads: ['lang', 'tenant'],
  sends: ['Content-Language'],
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
    return await checkPhoto(context, actor, form.files.image?.[0] ?? body);
  },
});
