import type { ParameterSource } from '../../platform/parameters/parameter.queries.ts';
import type { Parameters } from '../../platform/parameters/parameter-schemas.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';

/** The parameter `queue/rules`. */
export type QueueRules = Parameters<'queue/rules'>;

/** At most five seconds old; not for use within a transaction. */
export const readQueueRules = (source: ParameterSource, tenantId: number): Promise<QueueRules> =>
  readParameters(source, tenantId, 'queue/rules');
