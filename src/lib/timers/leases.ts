import { sql } from 'kysely';
import type { Db } from '../db/connect.ts';
import type { Outcome } from './timer.ts';

/** A run that this instance has claimed; `startedAt` tells it from every other run of the timer. */
export interface Claim {
  name: string;
  startedAt: Date;
  /** The time at which the schedule fell due. */
  due: Date;
}

/** How long a claim lasts without being renewed: another instance goes on after so long when the holder has ended. */
export const leaseMs = 90_000;

const leaseEnd = (now: Date) => new Date(now.getTime() + leaseMs);

/** What the database knows of a timer. */
export interface TimerState {
  name: string;
  /** Everything that fell due until then is done. */
  done_until: Date;
  started_at: Date | null;
  leased_until: Date | null;
}

/**
 * The state of each timer by name. One that the database does not know begins now: nothing before is due.
 */
export async function readTimers(
  db: Db,
  names: readonly string[],
  now: Date,
): Promise<Map<string, TimerState>> {
  const { rows } = await sql<TimerState>`
    SELECT name, done_until, started_at, leased_until FROM timers WHERE name = ANY (${names})`.execute(db);
  const known = new Map(rows.map((row) => [row.name, row]));
  const missing = names.filter((name) => !known.has(name));
  if (missing.length > 0) {
    await sql`
      INSERT INTO timers (name, done_until) SELECT name, ${now}::timestamptz FROM unnest(${missing}::text[]) AS name
      ON CONFLICT (name) DO NOTHING`.execute(db);
  }
  return known;
}

/** Claims a run for this instance. @returns false where another one has it, or has done it. */
export async function claimTimer(db: Db, { name, startedAt, due }: Claim): Promise<boolean> {
  const { rows } = await sql`
    UPDATE timers SET started_at = ${startedAt}, leased_until = ${leaseEnd(startedAt)}, ended_at = NULL, outcome = NULL, error = NULL
    WHERE name = ${name} AND done_until < ${due} AND (leased_until IS NULL OR leased_until <= ${startedAt})
    RETURNING name`.execute(db);
  return rows.length > 0;
}

/** A run that lasts longer than a lease stays this instance's. */
export async function renewTimer(db: Db, { name, startedAt }: Claim, now: Date): Promise<void> {
  await sql`
    UPDATE timers SET leased_until = ${leaseEnd(now)}
    WHERE name = ${name} AND started_at = ${startedAt} AND ended_at IS NULL`.execute(db);
}

/** Records the outcome of a run and ends its claim; nothing where another run has begun since. */
export async function recordTimer(
  db: Db,
  { name, startedAt, due }: Claim,
  { outcome, error }: Outcome,
  now: Date,
): Promise<void> {
  await sql`
    UPDATE timers SET done_until = ${due}, leased_until = NULL, ended_at = ${now}, outcome = ${outcome}, error = ${error ?? null}
    WHERE name = ${name} AND started_at = ${startedAt}`.execute(db);
}
