import { z } from 'zod';
import { ImageReference } from '../../../../domain/cases/record/case-image.schemas.ts';
import { deletePhoto } from '../../../../domain/cases/photos/delete-photo.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileDeleteImage = endpoint({
  name: 'v1MobileDeleteImage',
  method: 'DELETE',
  route: 'api/v1/mobile/images/{name}',
  tag: 'Images',
  summary: 'Delete an image of the caller',
  description:
    'The image is removed from drafts, whose `version` is incremented. An image in a submitted case cannot be ' +
    'deleted. Repeating the request gives 204 again.',
  auth: 'any',
  audit: { category: 'access', success: 'image_deleted', refusal: 'image_deleted' },
  params: z.object({ name: ImageReference.meta({ description: '`name` of the photo, or its UUID.' }) }),
  missing: 'image_not_found',
  reply: { status: 204, description: 'The photo is gone.' },
  problems: ['image_in_use'],
  async handler({ params, actor, context }) {
    await deletePhoto(context, actor, params.name);
  },
});
