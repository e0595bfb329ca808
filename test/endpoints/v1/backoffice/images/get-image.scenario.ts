import { v1BackofficeGetImage } from '../../../../../src/functions/v1/backoffice/images/get-image.ts';
import { unknownId } from '../../../people.ts';
import { photo, scenario } from '../../../scenario.ts';
import { queuedCase } from '../../../staff-cases.ts';
import { photoRow } from '../../../access/desk-rows.ts';

const ofCase = { ...queuedCase, params: { imgid: '{{case.response.body.images[0].name}}' } };

export const getBackofficeImageScenario = scenario({
  endpoint: v1BackofficeGetImage,
  as: 'physician',
  good: {
    original: { title: 'A photo of a case that waits', ...ofCase },
    thumbnail: {
      title: 'Its thumbnail',
      ...ofCase,
      params: { imgid: '{{case.response.body.images[0].uuid}}' },
      query: { variant: 'thumbnail' },
    },
    unchanged: {
      title: 'Unchanged since the last time',
      status: 304,
      ...ofCase,
      after: {
        ...ofCase.after,
        first: { operation: 'v1BackofficeGetImage', as: 'physician', params: ofCase.params },
      },
      headers: { 'if-none-match': '{{first.response.headers.etag}}' },
    },
    part: { title: 'Its first kilobyte', status: 206, ...ofCase, headers: { range: 'bytes=0-1023' } },
  },
  mistakes: {
    variant: {
      title: 'A variant that does not exist',
      code: 'validation_error',
      pointers: ['/variant'],
      ...ofCase,
      query: { variant: 'huge' },
    },
  },
  refusals: {
    range: {
      title: 'A range behind the last byte',
      code: 'range_not_satisfiable',
      ...ofCase,
      headers: { range: 'bytes=99999999-' },
    },
    unknown: {
      title: 'A photo that does not exist',
      code: 'image_not_found',
      params: { imgid: `${unknownId}.jpg` },
    },
    inNoCase: {
      title: 'A photo that is in no case',
      code: 'image_not_found',
      after: { stored: { operation: 'storeImages', as: 'patient', form: { images: photo } } },
      params: { imgid: '{{stored.response.body.images[0].uuid}}' },
    },
  },
  never: {
    busy: 'The decoder queues 128 images for 30 s: test/lib/image proves it with a short queue.',
    not_found: 'Its bytes are gone: test/functions/common/image-faults takes them away.',
  },
  access: {
    'in hand': { ...photoRow('/api/v1/backoffice/images'), cells: '401 403 404 404 200 200 404 404 404 200' },
  },
});
