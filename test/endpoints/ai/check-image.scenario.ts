import { checkImage } from '../../../src/functions/ai/check-image.ts';
import { unknownId } from '../people.ts';
import { photo, scenario } from '../scenario.ts';

/** A PNG of 16 × 16 pixels in the colour of skin, as base64. */
const grey =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAH0lEQVR4AWM4Ma2JJMRAkuoT05pGNRATYqOhNDhCCQB0IeAQHSi6TgAAAABJRU5ErkJggg==';

export const checkImageScenario = scenario({
  endpoint: checkImage,
  as: 'patient',
  good: {
    bytes: { title: 'The bytes of an unusable photo in base64', json: { imageData: grey } },
    stored: {
      title: 'A stored photo',
      after: { stored: 'storeImages' },
      json: { imageUrl: '{{stored.response.body.images[0].url}}' },
    },
    upload: { title: 'A photo as a form', form: { image: photo } },
  },
  mistakes: {
    base64: {
      title: 'Not base64',
      code: 'validation_error',
      pointers: ['/imageData'],
      json: { imageData: 'not base64!' },
    },
    elsewhere: {
      title: 'Addresses elsewhere are never fetched',
      code: 'validation_error',
      pointers: ['/imageUrl'],
      json: { imageUrl: 'https://example.org/skin.jpg' },
    },
  },
  refusals: {
    unknown: {
      title: 'A stored photo that does not exist',
      code: 'not_found',
      json: { imageUrl: `/api/common/images/${unknownId}` },
    },
  },
});
