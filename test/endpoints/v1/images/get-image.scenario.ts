import { v1ImagesGetImage } from '../../../../src/functions/v1/images/get-image.ts';
import { unknownId } from '../../people.ts';
import { photo, scenario } from '../../scenario.ts';
import { photoRow } from '../../access/desk-rows.ts';

const stored = {
  after: { stored: 'v1ImagesUploadImages' },
  params: { path: '{{stored.response.body.images[0].path}}' },
};
const own = { ...stored, unaudited: 'An owner who looks at a photo leaves no event.' };
export const getCaseImageScenario = scenario({
  endpoint: v1ImagesGetImage,
  as: 'newcomer',
  good: {
    original: { title: 'The photo as it was stored', ...own },
    thumbnail: {
      title: 'Its thumbnail',
      ...own,
      params: { path: '{{stored.response.body.images[0].thumbnail_path}}' },
    },
    treating: {
      title: 'A photo of a case that has been submitted, for an admin',
      as: 'admin',
      ...stored,
      after: {
        stored: { operation: 'v1ImagesUploadImages', as: 'patient', form: { images: photo } },
        draft: {
          operation: 'v1MobileCreateCase',
          as: 'patient',
          json: { anamnesis: {}, images: [{ name: '{{stored.response.body.images[0].uuid}}' }] },
        },
      },
      state: [`UPDATE request_records SET submitted_at = now() WHERE uuid = '{{draft.response.body.uuid}}'`],
    },
    part: { title: 'Its first kilobyte', status: 206, ...own, headers: { range: 'bytes=0-1023' } },
  },
  refusals: {
    range: {
      title: 'A range behind the last byte',
      code: 'range_not_satisfiable',
      ...stored,
      headers: { range: 'bytes=99999999-' },
    },
    unknown: {
      title: 'A photo that does not exist',
      code: 'image_not_found',
      params: { path: `${unknownId}.jpg` },
    },
  },
  never: {
    busy: 'The decoder queues 128 images for 30 s: test/lib/image proves it with a short queue.',
    not_found: 'Its bytes are gone: test/functions/common/image-faults takes them away.',
  },
  access: {
    'in hand': { ...photoRow('/api/v1/images', '.png'), cells: '401 200 404 404 200 200 404 404 404 200' },
  },
});
