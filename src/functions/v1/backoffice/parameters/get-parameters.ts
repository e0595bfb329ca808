import { z } from 'zod';
import { OfficeParameters } from '../../../../domain/catalogue/parameter-sets/parameter-set.schemas.ts';
import { readParameterSet } from '../../../../domain/catalogue/parameter-sets/read-parameter-set.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { versionTag } from '../../../../lib/http/record-version.ts';

const part = z.string().regex(/^[a-z0-9_-]{1,48}$/);

export const v1BackofficeGetParameters = endpoint({
  name: 'v1BackofficeGetParameters',
  method: 'GET',
  route: 'api/v1/backoffice/parameters/{branch}/{sub_branch}',
  tag: 'Office',
  summary: 'Get the parameters of one name',
  auth: 'admin-level',
  audit: 'none',
  sends: ['ETag'],
  params: z.object({
    branch: part.meta({ description: 'First part of the name.', examples: ['queue'] }),
    sub_branch: part.meta({ description: 'Second part of the name.', examples: ['rules'] }),
  }),
  missing: 'parameters_not_found',
  reply: { status: 200, description: 'The parameters.', body: OfficeParameters },
  problems: ['parameters_not_found'],
  async handler({ params, context, actor, replyHeaders }) {
    const parameters = await readParameterSet(context, actor, params);
    replyHeaders['etag'] = versionTag(parameters.version);
    return parameters;
  },
});
