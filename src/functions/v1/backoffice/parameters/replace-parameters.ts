import { z } from 'zod';
import {
  OfficeParameters,
  ParametersChange,
  ParametersChangeDocs,
} from '../../../../domain/catalogue/parameter-sets/parameter-set.schemas.ts';
import { replaceParameterSet } from '../../../../domain/catalogue/parameter-sets/replace-parameter-set.ts';
import { auditEvents } from '../../../../contract/audit.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

const part = z.string().regex(/^[a-z0-9_-]{1,48}$/);

export const v1BackofficeReplaceParameters = endpoint({
  name: 'v1BackofficeReplaceParameters',
  method: 'PUT',
  route: 'api/v1/backoffice/parameters/{branch}/{sub_branch}',
  tag: 'Office',
  summary: 'Replace the tenant’s values of one name',
  description:
    'Replaces all values of the name: for a missing key the default applies again, and `{}` removes all values. For ' +
    'names that the service defines, values must match the schema, and the visibility is fixed. Clients can use ' +
    'other names freely, except in the branches of the service: two parts of at most 32 characters, 100 keys, 64 KiB ' +
    'for each value. The service applies new values within five seconds.',
  auth: 'admin-level',
  audit: auditEvents.parameterSet,
  reads: ['if-match'],
  sends: ['ETag'],
  params: z.object({
    branch: part.meta({ description: 'First part of the name.', examples: ['queue'] }),
    sub_branch: part.meta({ description: 'Second part of the name.', examples: ['rules'] }),
  }),
  missing: 'parameters_not_found',
  body: ParametersChange,
  bodyDocs: ParametersChangeDocs,
  bodyLimit: 256 * 1024,
  reply: { status: 200, description: 'The parameters as they are now.', body: OfficeParameters },
  problems: ['parameters_not_found'],
  async handler({ params, body: { version, ...change }, context, actor, request, replyHeaders }) {
    const expected = expectedVersion(request.ifMatch, version);
    const parameters = await replaceParameterSet(context, actor, { ...params, ...change, version: expected });
    replyHeaders['etag'] = versionTag(parameters.version);
    return parameters;
  },
});
