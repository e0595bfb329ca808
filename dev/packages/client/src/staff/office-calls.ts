import type { CallOptions, QueryOf } from '../call-options.ts';
import type { NamedCalls } from '../named-calls.ts';
import type { ParametersChange, paths } from '../schema.ts';

type ParameterQuery = QueryOf<paths['/api/v1/backoffice/parameters']['get']>;
type AuditQuery = QueryOf<paths['/api/v1/backoffice/audit-trail']['get']>;
type AuditFilter = QueryOf<paths['/api/v1/backoffice/audit-trail/csv']['get']>;

/** The parameters of the tenant, by branch and sub-branch, such as `queue/rules`. */
export function parameterCalls({ get, put }: NamedCalls) {
  return {
    list: (query: ParameterQuery = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/parameters', { params: { query } }, options),
    get: (branch: string, subBranch: string, options: CallOptions = {}) =>
      get(
        '/api/v1/backoffice/parameters/{branch}/{sub_branch}',
        { params: { path: { branch, sub_branch: subBranch } } },
        options,
      ),
    /** All values of a sub-branch; `version` is the one that was read. */
    replace: (
      branch: string,
      subBranch: string,
      body: ParametersChange & { version: number },
      options: CallOptions = {},
    ) =>
      put(
        '/api/v1/backoffice/parameters/{branch}/{sub_branch}',
        { params: { path: { branch, sub_branch: subBranch } }, body },
        options,
      ),
  };
}

/** Who did what, the newest first. */
export function auditTrailCalls({ get }: NamedCalls) {
  return {
    list: (query: AuditQuery = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/audit-trail', { params: { query } }, options),
    /** The same as a file for a spreadsheet. */
    csv: (query: AuditFilter = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/audit-trail/csv', { params: { query }, parseAs: 'blob' }, options),
  };
}
