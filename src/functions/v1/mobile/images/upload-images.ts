import { photoFields, readUpload, UploadedPhotos } from '../../../../domain/cases/patient/upload-form.ts';
import { uploadPhotos } from '../../../../domain/cases/patient/upload-photos.ts';
import { imagesForm } from '../../../../domain/media/images/images-form.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileUploadImages = endpoint({
  name: 'v1MobileUploadImages',
  method: 'POST',
  route: 'api/v1/mobile/images/upload',
  tag: 'Images',
  summary: 'Store up to ten images, and add them to a case',
  description:
    'The same as `POST /api/common/store_images`; new images are appended to those of the case. A case has at most ' +
    'ten images.',
  auth: 'any',
  quota: 'uploads',
  verifiedOnly: true,
  audit: { category: 'access', success: 'image_upload', refusal: 'image_upload' },
  reads: ['lang', 'idempotency-key'],
  sends: ['Idempotency-Replayed'],
  multipart: {
    id: 'CasePhotosForm',
    description: 'One to ten photos, and what they belong to.',
    ...imagesForm,
    fields: photoFields,
  },
  reply: { status: 201, description: 'The stored photos, in the order sent.', body: UploadedPhotos },
  problems: ['invalid_image', 'case_not_found', 'case_state_conflict', 'rate_limited', 'busy'],
  async handler({ form, actor, context, replyHeaders }) {
    const upload = readUpload(form.files.images, form.fields);
    const { reply, replayed } = await uploadPhotos(context, actor, 'api/v1/mobile/images/upload', upload);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
