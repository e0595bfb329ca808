import { z } from 'zod';
import { listParameters } from '../../../../domain/catalogue/parameter-sets/list-parameters.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { jsonWithEtag } from '../../../../lib/http/json-etag.ts';

const Branch = z.string().regex(/^[a-z0-9_-]{1,48}$/);

const ParameterSet = z
  .object({
    branch: Branch.meta({ description: 'As in the path.' }),
    sub_branch: Branch.meta({ description: 'As in the path.' }),
    version: z.int().meta({ description: 'Incremented by each change.' }),
    parameters: z.record(z.string(), z.unknown()).meta({ description: 'Values by key.' }),
  })
  .meta({ id: 'ParameterSet', description: 'Parameters of a tenant over those of the platform.' });

export const v1MobileListParameters = endpoint({
  name: 'v1MobileListParameters',
  method: 'GET',
  route: 'api/v1/mobile/config/parameters/{branch}/{sub_branch}',
  tag: 'Configuration',
  summary: 'Get the parameters of a branch that the caller may read',
  description:
    'Public parameters for everyone, `authenticated` ones for callers with a token, `staff` ones for physicians and ' +
    'admins; for example `legal/consent`, `mobile/app`, `portal/features`. Changes are visible after at most five seconds. Supports `If-None-Match` (304).',
  auth: 'optional',
  audit: 'none',
  perNetwork: 300,
  params: z.object({
    branch: Branch.meta({ description: 'Such as `legal`.' }),
    sub_branch: Branch.meta({ description: 'Such as `consent`.' }),
  }),
  missing: 'parameters_not_found',
  reads: ['tenant', 'if-none-match'],
  sends: ['ETag', 'Cache-Control'],
  reply: {
    status: 200,
    description: 'Values by key.',
    raw: 'application/json',
    rawSchema: ParameterSet,
    alternatives: { 304: 'Unchanged since `If-None-Match`.' },
  },
  problems: ['parameters_not_found'],
  async handler({ context, actor, params, request }) {
    const found = ParameterSet.parse(await listParameters(context, actor, params));
    return jsonWithEtag(request, found, {
      'cache-control': 'private, no-cache',
      vary: 'Origin, Authorization, X-Tenant',
    });
  },
});
