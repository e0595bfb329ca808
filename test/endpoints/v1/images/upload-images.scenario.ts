import { v1ImagesUploadImages } from '../../../../src/functions/v1/images/upload-images.ts';
import { unknownId } from '../../people.ts';
import { photo, scenario } from '../../scenario.ts';

const after = { draft: 'v1MobileCreateCase' };
const ofDraft = { images: photo, case_uuid: '{{draft.response.body.uuid}}' };

export const namedUploadScenario = scenario({
  endpoint: v1ImagesUploadImages,
  as: 'newcomer',
  good: {
    photo: { title: 'A photo', form: { images: photo } },
    of_case: {
      title: 'A photo of a case',
      after,
      form: ofDraft,
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
  refusals: {
    unknown: {
      title: 'For a case that is not one’s own',
      code: 'case_not_found',
      form: { images: photo, case_uuid: unknownId },
    },
    cancelled: {
      title: 'For a case that was cancelled',
      code: 'case_state_conflict',
      after: {
        ...after,
        cancelled: {
          operation: 'v1MobileChangeCaseStatus',
          params: { uuid: '{{draft.response.body.uuid}}' },
          json: { action: 'cancel' },
        },
      },
      form: ofDraft,
    },
  },
  never: {
    busy: 'The decoder queues 128 images for 30 s: test/lib/image proves it with a short queue.',
  },
});
