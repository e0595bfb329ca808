import { imagesForm } from '../../domain/media/images/images-form.ts';
import { StoredImages } from '../../domain/media/images/image.schemas.ts';
import { storeImages as store } from '../../domain/media/images/store-images.ts';
import { endpoint } from '../../lib/http/endpoint.ts';

export const storeImages = endpoint({
  name: 'storeImages',
  method: 'POST',
  route: 'api/common/store_images',
  tag: 'Images',
  summary: 'Store up to ten photos',
  description:
    'All or none. GPS, device, time, comments and embedded thumbnails are removed without changing a pixel; the ' +
    'orientation is preserved. The same photo of the same owner is stored once and keeps its UUID. With an ' +
    '`Idempotency-Key`, a retry within 24 hours gets the first reply, marked `Idempotency-Replayed: true`.',
  auth: 'any',
  quota: 'uploads',
  verifiedOnly: true,
  audit: { category: 'access', success: 'image_upload', refusal: 'image_upload' },
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed'],
  multipart: {
    id: 'PhotosForm',
    description: 'One to ten photos.',
    ...imagesForm,
    fields: {},
  },
  reply: { status: 201, description: 'The stored photos, in the order sent.', body: StoredImages },
  problems: ['invalid_image', 'rate_limited', 'busy'],
  async handler({ form, actor, context, replyHeaders }) {
    const { reply, replayed } = await store(context, actor, form.files.images);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
