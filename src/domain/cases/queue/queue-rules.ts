import type { ParameterSource } from '../../catalogue/parameters/parameter.queries.ts';
import type { Parameters } from '../../catalogue/parameters/parameter-schemas.ts';
import { readParameters } from '../../catalogue/parameters/read-parameters.ts';

/** The parameter `queue/rules`. */
export type QueueRules = Parameters<'queue/rules'>;

/** At most five seconds old; not for use within a transaction. */
export const readQueueRules = (source: ParameterSource, tenantId: number): Promise<QueueRules> =>
  readParameters(source, tenantId, 'queue/rules');
