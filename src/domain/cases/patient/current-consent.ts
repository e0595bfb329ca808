import { Problem } from '../../../contract/problem.ts';
import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import type { Consent } from '../admission/submit-case.ts';

/**
 * The consent that a tenant asks for, and the one that comes with a request.
 * @throws {Problem} `consent_outdated` for one to another version.
 */
export async function currentConsent(
  source: ParameterSource,
  tenantId: number,
  consent: { version: string } | undefined,
): Promise<Consent> {
  const { version: current } = await readParameters(source, tenantId, 'legal/consent');
  if (consent !== undefined && consent.version !== current)
    throw new Problem('consent_outdated', { members: { version: current } });
  return { current, given: consent?.version };
}
