import { v1MobileUploadImages } from '../../../../../src/functions/v1/mobile/images/upload-images.ts';
import { unknownId } from '../../../people.ts';
import { photo, scenario } from '../../../scenario.ts';

const after = { draft: 'v1MobileCreateCase' };
const ofDraft = { images: photo, case_uuid: '{{draft.response.body.uuid}}' };

export const uploadImagesScenario = scenario({
  endpoint: v1MobileUploadImages,
  as: 'newcomer',
  good: {
    photo: { title: 'A photo', form: { images: photo } },
    of_case: {
      title: 'A photo of a case, judged at once',
      after,
      form: { ...ofDraft, kind: 'close_up', location_index: '0', check_quality: 'true' },
    },
  },
  mistakes: {
    kind: {
      title: 'A kind that there is not',
      code: 'validation_error',
      pointers: ['/kind'],
      form: { images: photo, kind: 'selfie' },
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
