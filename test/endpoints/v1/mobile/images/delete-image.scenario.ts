import { v1MobileDeleteImage } from '../../../../../src/functions/v1/mobile/images/delete-image.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';

const params = { name: '{{stored.response.body.images[0].uuid}}' };

export const deleteImageScenario = scenario({
  endpoint: v1MobileDeleteImage,
  as: 'newcomer',
  good: { own: { title: 'A photo of one’s own', after: { stored: 'storeImages' }, params } },
  refusals: {
    unknown: { title: 'A photo that does not exist', code: 'image_not_found', params: { name: unknownId } },
    used: {
      title: 'A photo that was submitted',
      code: 'image_in_use',
      after: {
        stored: 'storeImages',
        draft: {
          operation: 'v1MobileCreateCase',
          json: {
            anamnesis: {},
            images: [{ name: '{{stored.response.body.images[0].uuid}}' }],
          },
        },
      },
      state: [`UPDATE request_records SET submitted_at = now() WHERE uuid = '{{draft.response.body.uuid}}'`],
      params,
    },
  },
});
