import { getImage } from '../../../src/functions/common/get-image.ts';
import { unknownId } from '../people.ts';
import { queuedCase } from '../staff-cases.ts';
import { photo, scenario } from '../scenario.ts';
import { photoRow } from '../access/desk-rows.ts';

const stored = {
  after: { stored: 'storeImages' },
  params: { uuid: '{{stored.response.body.images[0].uuid}}' },
};

const own = { ...stored, unaudited: 'An owner who looks at a photo leaves no event.' };

export const getImageScenario = scenario({
  endpoint: getImage,
  as: 'patient',
  good: {
    original: { title: 'The photo as it was stored', ...own },
    thumbnail: { title: 'Its thumbnail', ...own, query: { variant: 'thumbnail' } },
    unchanged: {
      title: 'Unchanged since the last time',
      status: 304,
      ...own,
      after: { ...stored.after, first: { operation: 'getImage', params: stored.params } },
      headers: { 'if-none-match': '{{first.response.headers.etag}}' },
    },
    treating: {
      title: 'A photo of a case that waits for a physician',
      as: 'physician',
      ...queuedCase,
      params: { uuid: '{{case.response.body.images[0].uuid}}' },
    },
    part: { title: 'Its first kilobyte', status: 206, ...own, headers: { range: 'bytes=0-1023' } },
  },
  mistakes: {
    variant: {
      title: 'A variant that does not exist',
      code: 'validation_error',
      pointers: ['/variant'],
      ...stored,
      query: { variant: 'huge' },
    },
  },
  refusals: {
    range: {
      title: 'A range behind the last byte',
      code: 'range_not_satisfiable',
      ...stored,
      headers: { range: 'bytes=99999999-' },
    },
    unknown: { title: 'A photo that does not exist', code: 'not_found', params: { uuid: unknownId } },
    stranger: {
      title: 'To other patients the photo does not exist',
      code: 'not_found',
      as: 'newcomer',
      after: { stored: { operation: 'storeImages', as: 'patient', form: { images: photo } } },
      params: stored.params,
    },
    inNoCase: {
      title: 'To a physician a photo does not exist that is in no case',
      code: 'not_found',
      as: 'physician',
      after: { stored: { operation: 'storeImages', as: 'patient', form: { images: photo } } },
      params: stored.params,
    },
  },
  never: {
    busy: 'The decoder queues 128 images for 30 s: test/lib/image proves it with a short queue.',
  },
  access: {
    'in hand': { ...photoRow('/api/common/images'), cells: '401 200 404 404 200 200 404 404 404 200' },
  },
});
