import { listParameterSets } from '../../../../domain/catalogue/parameter-sets/list-parameter-sets.ts';
import { OfficeParameters } from '../../../../domain/catalogue/parameter-sets/parameter-set.schemas.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { PageQuery, pageOf } from '../../../../lib/paging/page.ts';

export const v1BackofficeListParameters = endpoint({
  name: 'v1BackofficeListParameters',
  method: 'GET',
  route: 'api/v1/backoffice/parameters',
  tag: 'Office',
  summary: 'List all parameters of the tenant by name',
  description:
    'With the tenant’s values, the defaults, the JSON Schema of the values, and their visibility. Parameters that ' +
    'the service defines are listed even if the tenant has not set them.',
  auth: 'admin-level',
  audit: 'none',
  query: PageQuery,
  reply: {
    status: 200,
    description: 'At most `limit` names with their parameters.',
    body: pageOf(OfficeParameters, {
      id: 'OfficeParametersPage',
      description: 'A page of parameters by name.',
    }),
  },
  problems: ['cursor_invalid'],
  async handler({ query, context, actor }) {
    return await listParameterSets(context, actor, query);
  },
});
