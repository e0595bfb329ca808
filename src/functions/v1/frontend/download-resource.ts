import { z } from 'zod';
import { TextVersion } from '../../../domain/platform/parameters/text-version.ts';
import { readResource, resourceNames } from '../../../domain/catalogue/resources/read-resource.ts';
import { requireActiveTenant } from '../../../domain/platform/tenants/tenant.queries.ts';
import { endpoint } from '../../../lib/http/endpoint.ts';
import { textWithEtag } from '../../../lib/http/json-etag.ts';

export const v1FrontendDownloadResource = endpoint({
  name: 'v1FrontendDownloadResource',
  method: 'GET',
  route: 'api/v1/frontend/download_resource/{name}',
  tag: 'Configuration',
  summary: 'Get a published text, the body map, or the schema or the labels of an anamnesis',
  description:
    '`consent`, `privacy`, `photo-guide`: the tenant’s text, otherwise the default one. Paragraphs are separated by ' +
    'an empty line. The parameters `legal/consent` and `legal/privacy` name the current version. `body-map.json`: ' +
    'the values of `locations[].primary`, the values of `secondary` for each, and the values of `side`, with labels ' +
    'in four languages. `anamnesis-schema.json`: the JSON Schema of a complete anamnesis. `anamnesis-labels.json`: ' +
    'labels of its values in four languages. Supports `If-None-Match` (304).',
  auth: 'public',
  audit: 'none',
  perNetwork: 300,
  params: z.object({
    name: z.enum(resourceNames).meta({ id: 'ResourceName', description: 'Name of the text or document.' }),
  }),
  missing: 'resource_not_found',
  query: z.object({
    version: TextVersion.optional().meta({ description: 'The current one where absent.' }),
  }),
  reads: ['lang', 'tenant', 'if-none-match'],
  sends: ['Content-Language', 'ETag', 'Cache-Control'],
  reply: {
    status: 200,
    description: 'The text or document.',
    raw: 'text/plain; charset=utf-8',
    otherTypes: ['application/json'],
    alternatives: { 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: ['resource_not_found'],
  async handler({ context, params: { name }, query: { version }, request }) {
    const { id } = await requireActiveTenant(context.db, request.tenantSlug);
    const { text, language, contentType } = await readResource(context, id, { name, version });
    return textWithEtag(request, `${text}\n`, {
      // Which version is current changes at once; until then clients would show what no longer counts.
      'cache-control': version === undefined ? 'no-cache' : 'public, max-age=3600',
      'content-type': contentType,
      ...(language !== undefined && { 'content-language': language }),
      vary: 'Origin, Accept-Language, X-Tenant',
    });
  },
});
