import { Problem } from '../../contract/problem.ts';
import { AiFailure, aiProblem } from '../ai/ai-failure.ts';
import { BlobUnavailable } from '../blob/blob-store.ts';
import { isDatabaseUnavailable } from '../db/errors.ts';
import { describeError, type Log } from '../telemetry/log.ts';

/** What the client learns of anything thrown; what it does not learn is logged. */
export function toProblem(thrown: unknown, log: Log): Problem {
  if (thrown instanceof Problem) return thrown;
  if (thrown instanceof AiFailure) return aiProblem(thrown);
  if (thrown instanceof BlobUnavailable) {
    log.error('blob_storage_unavailable', describeError(thrown.cause));
    return new Problem('unavailable', {
      detail: 'The image store cannot be reached at the moment.',
      headers: { 'retry-after': '2' },
    });
  }
  if (isDatabaseUnavailable(thrown)) {
    log.error('database_unavailable', describeError(thrown));
    return new Problem('unavailable', {
      detail: 'The database cannot be reached at the moment.',
      headers: { 'retry-after': '2' },
    });
  }
  log.error('unexpected_error', describeError(thrown));
  return new Problem('internal_error', { cause: thrown });
}
