import { isConnectionLost } from './errors.ts';

/** Milliseconds after which the client has waited long enough. */
const patienceMs = 3000;

/**
 * Reads what a committed change is answered with; once more where the connection dies. The change stands: a failure would make
 * its client repeat it, and be refused because of the version that it made itself.
 */
export async function readBack<T>(read: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await read();
  } catch (error) {
    if (!isConnectionLost(error) || performance.now() - startedAt > patienceMs) throw error;
    return await read();
  }
}
