import { sql } from 'kysely';
import type { Role } from '../../../contract/role.ts';
import type { Db } from '../../../lib/db/connect.ts';
import { isOfStatement } from '../../../lib/db/errors.ts';
import { together } from '../../../lib/together.ts';
import { type Quota, type QuotaState, quotaState, type QuotaRow } from '../throttle/quotas.ts';
import { type LiveSession, liveSessionOf, type SessionRow } from './find-live-sessions.ts';

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
export const admitSession = together(admitSessions, { atMost: 64, patienceMs: 25, isOfOne: isOfStatement });

/** In the order in which they are asked for. */
async function admitSessions(db: Db, asked: readonly Admission[]): Promise<(Admitted | undefined)[]> {
  // By user and quota, so that two statements lock rows in the same order and never deadlock.
  const sorted = asked.toSorted((a, b) => (lockOrder(a) < lockOrder(b) ? -1 : 1));
  const quotas = sorted.flatMap((each) => each.quotas);
  let end = 0;
  const ends = sorted.map((each) => (end += each.quotas.length));
  const of = <Value>(value: (admission: Admission) => Value) => sorted.map(value);
  const { rows } = await sql<Row>`SELECT * FROM admit_sessions(
    ${of(({ sessionUuid }) => sessionUuid)}, ${of(({ now }) => now)}, ${of(({ userUuid }) => userUuid)},
    ${of(({ roles }) => roles.join())}, ${of(({ verifiedOnly }) => verifiedOnly)}, ${ends},
    ${quotas.map(({ key }) => key)}, ${quotas.map(({ limit }) => limit)},
    ${quotas.map(({ seconds }) => seconds)}, ${quotas.map(({ cost }) => cost)})`.execute(db);
  const found = new Map(rows.map((row) => [sorted[row.place - 1], row]));
  return asked.map((admission) => {
    const row = found.get(admission);
    return row && { session: liveSessionOf(row), states: statesOf(admission, row) };
  });
}

const lockOrder = ({ userUuid, quotas }: Admission) => `${userUuid} ${quotas[0]?.policy}`;

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
