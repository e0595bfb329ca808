import { sql } from 'kysely';
import type { Role } from '../../../contract/role.ts';
import { byPlace } from '../../../lib/db/by-place.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { isOfStatement } from '../../../lib/db/errors.ts';
import type { SharedQueries } from '../../../lib/app/context.ts';
import { remembered } from '../../../lib/app/memory.ts';
import { together } from '../../../lib/concurrency/together.ts';
import { type Quota, type QuotaState, quotaState, type QuotaRow } from '../../platform/throttle/quotas.ts';
import { type LiveSession, liveSessionOf, type SessionRow } from './live-session.queries.ts';

/** A request with a token, which is taken from quotas. */
export interface Admission {
  sessionUuid: string;
  now: Date;
  /** At least one. */
  quotas: readonly Quota[];
  /** The user that the access token names; of a session of another one nothing is taken. */
  userUuid: string;
  roles: readonly Role[];
  /** Only a user whose address is verified. */
  verifiedOnly: boolean;
}

export interface Admitted {
  session: LiveSession;
  /** Empty where nothing was taken. */
  states: QuotaState[];
}

type Row = SessionRow & { place: number } & { [Column in keyof QuotaRow]: QuotaRow[Column][] | null };

/**
 * As `findLiveSession`, and takes the request from the user's quotas in the same round trip, which requests of the same turn
 * of the event loop share. A quota of one that cannot be taken from stops no other.
 */
const admissions = remembered(() =>
  together(admitSessions, { atMost: 64, patienceMs: 25, isOfOne: isOfStatement }),
);

export const admitSession = ({ db, memory }: SharedQueries, asked: Admission) =>
  memory.of(admissions)(db, asked);

/** In the order in which they are asked for. */
async function admitSessions(db: Db, asked: readonly Admission[]): Promise<(Admitted | undefined)[]> {
  const quotas = asked.flatMap((each) => each.quotas);
  let end = 0;
  const ends = asked.map((each) => (end += each.quotas.length));
  const of = <Value>(value: (admission: Admission) => Value) => asked.map(value);
  const { rows } = await sql<Row>`SELECT * FROM admit_sessions(
    ${of(({ sessionUuid }) => sessionUuid)}, ${of(({ now }) => now)}, ${of(({ userUuid }) => userUuid)},
    ${of(({ roles }) => roles.join())}, ${of(({ verifiedOnly }) => verifiedOnly)}, ${ends},
    ${quotas.map(({ key }) => key)}, ${quotas.map(({ limit }) => limit)},
    ${quotas.map(({ seconds }) => seconds)}, ${quotas.map(({ cost }) => cost)})`.execute(db);
  const found = byPlace(rows, asked.length);
  return asked.map((admission, index) => {
    const row = found[index];
    return row && { session: liveSessionOf(row), states: statesOf(admission, row) };
  });
}

function statesOf(
  { quotas }: Admission,
  { remaining, resets_in: resetsIn, is_short: isShort }: Row,
): QuotaState[] {
  if (remaining === null || resetsIn === null || isShort === null) return [];
  return quotas.map((quota, index) =>
    quotaState(quota, {
      remaining: remaining[index] ?? 0,
      resets_in: resetsIn[index] ?? 0,
      is_short: isShort[index] ?? true,
    }),
  );
}
