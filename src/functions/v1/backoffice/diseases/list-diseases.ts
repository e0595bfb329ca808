import { z } from 'zod';
import { DiseaseList, DiseaseQuery } from '../../../../domain/catalogue/diseases/disease-list.schemas.ts';
import { listDiseases } from '../../../../domain/catalogue/diseases/list-diseases.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { jsonWithEtag } from '../../../../lib/http/json-etag.ts';

export const v1BackofficeListDiseases = endpoint({
  name: 'v1BackofficeListDiseases',
  method: 'GET',
  route: 'api/v1/backoffice/diseases/{vendor}',
  tag: 'Backoffice',
  summary: 'List the diseases of a catalogue',
  description:
    '`dermagate` is the built-in catalogue, whose codes the AI service uses; other vendors are catalogues of the ' +
    'clinic. A page can contain fewer items than `limit` even if `next_cursor` is set. Supports `If-None-Match` ' +
    '(304).',
  auth: 'physician-level',
  audit: 'none',
  params: z.object({
    vendor: z
      .string()
      .regex(/^[a-z0-9_-]{2,32}$/)
      .meta({ description: 'Name of the list.', examples: ['dermagate'] }),
  }),
  missing: 'vendor_not_found',
  query: DiseaseQuery,
  reads: ['lang', 'if-none-match'],
  sends: ['Content-Language', 'ETag', 'Cache-Control'],
  reply: {
    status: 200,
    description: 'At most `limit` diseases.',
    raw: 'application/json',
    rawSchema: DiseaseList,
    alternatives: { 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: ['vendor_not_found', 'cursor_invalid'],
  async handler({ context, actor, params: { vendor }, query: { updated_since: since, ...query }, request }) {
    const updatedSince = since === undefined ? undefined : new Date(since);
    const list = await listDiseases(context, actor, { vendor, updatedSince, ...query });
    return jsonWithEtag(request, DiseaseList.parse(list), {
      'cache-control': 'private, no-cache',
      'content-language': request.language,
      vary: 'Origin, Authorization, Accept-Language',
    });
  },
});
