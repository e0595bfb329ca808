import type { AccountActor } from '../../../contract/actor.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { day, hour } from './throttle.ts';
import { reserveAttempt, reserveNewMembers } from './throttle.queries.ts';

/** Distinct patients a day whom staff read about; more look like a copy of the clinic's records. */
const maxPatients = 500;

/**
 * Counts patients whom the caller reads about by name, or whose case. From the 501st of a day on the log has a warning, one
 * an hour at most, for the alert `bulk-read`; nothing is refused.
 * @param db the transaction of the read, at its end: the counter stays locked.
 */
export async function countPatientsRead(
  db: Db,
  { throttleKey, log, request: { receivedAt: now } }: Pick<Context, 'throttleKey' | 'log' | 'request'>,
  { uuid, tenantId }: AccountActor,
  patientUuids: readonly string[],
): Promise<void> {
  if (patientUuids.length === 0) return;
  const members = [...new Set(patientUuids)].map((patient) => throttleKey('patient_read', uuid, patient));
  const rule = { key: throttleKey('patients_read', uuid), limit: maxPatients, seconds: day };
  if ((await reserveNewMembers(db, rule, members, now)) === 0) return;
  const alerts = { key: throttleKey('bulk_read', uuid), limit: 1, seconds: hour };
  if ((await reserveAttempt(db, [alerts], now)) === 0) {
    log.warn('phi_bulk_read', { user: uuid, tenant: tenantId, patients: maxPatients });
  }
}
