import { photoFields, readUpload, UploadedPhotos } from '../../../domain/cases/patient/upload-form.ts';
import { uploadPhotos } from '../../../domain/cases/patient/upload-photos.ts';
import { imagesForm } from '../../../domain/media/images/images-form.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';

const { case_uuid } = photoFields;

export const v1ImagesUploadImages = endpoint({
  name: 'v1ImagesUploadImages',
  method: 'POST',
  route: 'api/v1/images/upload',
  tag: 'Images',
  summary: 'Store up to ten images with their names, and add them to a case',
  description: 'The same as `POST /api/v1/mobile/images/upload`, without the members that only apps send.',
  auth: 'any',
  quota: 'uploads',
  verifiedOnly: true,
  audit: { category: 'access', success: 'image_upload', refusal: 'image_upload' },
  reads: ['idempotency-key'],
  sends: ['Idempotency-Replayed'],
  multipart: {
    id: 'NamedPhotosForm',
    description: 'One to ten photos, and the case that they belong to.',
    ...imagesForm,
    fields: { case_uuid },
  },
  reply: { status: 201, description: 'The stored photos, in the order sent.', body: UploadedPhotos },
  problems: ['invalid_image', 'case_not_found', 'case_state_conflict', 'rate_limited', 'busy'],
  async handler({ form, actor, context, replyHeaders }) {
    const upload = readUpload(form.files.images, form.fields);
    const { reply, replayed } = await uploadPhotos(context, actor, 'api/v1/images/upload', upload);
    if (replayed) replyHeaders['idempotency-replayed'] = 'true';
    return reply;
  },
});
