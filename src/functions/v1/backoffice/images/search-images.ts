import { z } from 'zod';
import { ImageMatches } from '../../../../domain/desk/search/image-match.schemas.ts';
import { searchImages } from '../../../../domain/desk/search/search-images.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { PageQuery } from '../../../../lib/paging/page.ts';

export const v1BackofficeSearchImages = endpoint({
  name: 'v1BackofficeSearchImages',
  method: 'GET',
  route: 'api/v1/backoffice/images',
  tag: 'Backoffice',
  summary: 'Find other cases with the same image',
  description:
    'The same image in cases of two patients needs a check. Lists byte-identical images in cases that ' +
    'the caller may see.',
  auth: 'physician-level',
  audit: { category: 'access', success: 'image_searched', refusal: 'image_searched' },
  reads: ['lang'],
  sends: ['Content-Language'],
  query: PageQuery.pick({ limit: true }).extend({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/i)
      .meta({ description: 'SHA-256 of the stored bytes in hexadecimal, as `sha256` of the photo has it.' }),
  }),
  reply: { status: 200, description: 'At most `limit` photos.', body: ImageMatches },
  problems: [],
  async handler({ query, context, actor }) {
    return await searchImages(context, actor, query);
  },
});
