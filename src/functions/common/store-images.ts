import { acceptImages, imageLimits, uploadLimits } from '../../domain/media/images/accept-image.ts';
import { StoredImages } from '../../domain/media/images/image.schemas.ts';
import { recordUpload } from '../../domain/media/images/record-upload.ts';
import { storeImages as store } from '../../domain/media/images/store-images.ts';
import { uploadFingerprint } from '../../domain/media/images/upload-fingerprint.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { withIdempotencyKey } from '../../lib/idempotency/idempotency.ts';

const route = 'api/common/store_images';

export const storeImages = endpoint({
  name: 'storeImages',
  method: 'POST',
  route,
  tag: 'Images',
  summary: 'Store up to ten photos',
  description:
    'All or none. GPS, device, time, comments and thumbnails are removed without touching a pixel; the orientation stays. ' +
    'The same photo of the same owner is stored once and keeps its uuid. With an `Idempotency-Key` a retry within 24 hours ' +
    'gets the first answer, marked `Idempotency-Replayed: true`.',
  auth: 'any',
  quota: 'uploads',
  verifiedOnly: true,
  audit: { category: 'access', success: 'image_upload', refusal: 'image_upload' },
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed'],
  multipart: {
    id: 'PhotosForm',
    description: 'One to ten photos.',
    maxBytes: uploadLimits.maxBytes + 64 * 1024,
    fields: {},
    files: {
      images: {
        required: true,
        maxCount: uploadLimits.maxFiles,
        maxBytes: imageLimits.maxBytes,
        description: 'JPEG or PNG, at most 15 MB and 50 megapixels each, 20 MB together',
      },
    },
  },
  reply: { status: 201, description: 'What is stored, in the order sent.', body: StoredImages },
  problems: ['invalid_image', 'rate_limited', 'busy'],
  async handler({ form, actor, context, replyHeaders }) {
    const { db, blobs, images, clock, request, audit, log } = context;
    const uploads = form.files.images;
    const { id: userId, tenantId, uuid: userKey } = actor;
    const fingerprint = uploadFingerprint(route, uploads);
    const { idempotencyKey: key } = request;
    const now = clock.now();
    const { reply, replayed } = await withIdempotencyKey<StoredImages>(
      db,
      { key, tenantId, userKey, route, fingerprint, now },
      async (done) => {
        const accepted = await acceptImages(uploads, images);
        const stored = await store(
          accepted,
          { tenantId, userId },
          {
            db,
            blobs,
            log,
            now,
            async onStored(tx, images) {
              await recordUpload(tx, audit, images);
              await done(tx, { images });
            },
          },
        );
        return { images: stored };
      },
    );
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
