import type { Context } from '../../../lib/app/context.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';

export interface SessionRules {
  /** LIMIT_SESSIONS_PER_USER */
  sessionLimit: number;
  /** Whether every account of the tenant has one session at a time; physicians may choose it for themselves. */
  isUniqueInTenant: boolean;
}

/** How many sessions the accounts of a tenant may have; not for use within a transaction. */
export async function readSessionRules(context: Context, tenantId: number): Promise<SessionRules> {
  const { unique_session: isUniqueInTenant } = await readParameters(context, tenantId, 'auth/rules');
  return { sessionLimit: context.config.LIMIT_SESSIONS_PER_USER, isUniqueInTenant };
}
