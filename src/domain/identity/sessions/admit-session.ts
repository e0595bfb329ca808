import { sql } from 'kysely';
import type { Role } from '../../../contract/role.ts';
import type { Db } from '../../../lib/db/connect.ts';
import {
  type CounterRow,
  type Quota,
  type QuotaState,
  quotaStates,
  takingQuota,
} from '../throttle/quotas.ts';
import { type LiveSession, liveSessionOf, type SessionRow } from './find-live-session.ts';

/** Whose request is taken from the quotas; of all others nothing is. */
export interface Admission {
  quotas: readonly Quota[];
  /** The user that the access token names. */
  userUuid: string;
  roles: readonly Role[];
  /** Only a user whose address is verified. */
  verifiedOnly: boolean;
}

type Row = SessionRow & (CounterRow | { [Column in keyof CounterRow]: null });

/**
 * As `findLiveSession`, and takes the request from the user's quotas in the same round trip.
 * @returns `states` is empty where nothing was taken.
 */
export async function admitSession(
  db: Db,
  sessionUuid: string,
  { quotas, userUuid, roles, verifiedOnly }: Admission,
  now: Date,
): Promise<{ session: LiveSession; states: QuotaState[] } | undefined> {
  const isMeant = sql<boolean>`session.uuid = ${userUuid} AND session.role = ANY (${roles}::text[])
    AND (session.is_verified OR NOT ${verifiedOnly}::boolean)`;
  const { rows } = await sql<Row>`
    SELECT session.*, quota.* FROM find_live_session(${sessionUuid}, ${now}) AS session
    LEFT JOIN LATERAL ${takingQuota(quotas, isMeant, now)} AS quota ON true`.execute(db);
  const [first] = rows;
  if (first === undefined) return undefined;
  const taken = rows.filter((row): row is SessionRow & CounterRow => row.key !== null);
  return { session: liveSessionOf(first), states: taken.length === 0 ? [] : quotaStates(quotas, taken) };
}
