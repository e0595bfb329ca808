import { storeImages } from '../../../src/functions/common/store-images.ts';
import { photo, scenario } from '../scenario.ts';

export const storeImagesScenario = scenario({
  endpoint: storeImages,
  as: 'patient',
  good: {
    one_photo: {
      title: 'One photo, under a key by which it can be sent again',
      headers: { 'idempotency-key': 'upload-{{$timestamp}}' },
      form: { images: photo },
    },
  },
  mistakes: {
    key: {
      title: 'A key that is too short',
      code: 'validation_error',
      headers: { 'idempotency-key': 'short' },
      form: { images: photo },
    },
  },
  never: {
    busy: 'The decoder queues 128 images for 30 s: test/lib/image proves it with a short queue.',
  },
});
