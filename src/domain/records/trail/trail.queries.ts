import { type RawBuilder, sql } from 'kysely';
import type { Role } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { plannedAnew } from '../../../lib/db/prepared-pool.ts';
import { limitTime, withinTime } from '../../../lib/db/time-limit.ts';
import { physicianName } from '../../identity/physicians/display-name.ts';
import type { TrailEvent, TrailFilters } from './trail.schemas.ts';

const timeLimitMs = 2000;

/** An event with its place in the trail. */
export interface FoundEvent extends TrailEvent {
  id: number;
  /** `at` to the microsecond, which a `Date` does not hold. */
  moment: string;
}
export type TrailPosition = Pick<FoundEvent, 'id' | 'moment'>;

interface Row extends Omit<FoundEvent, 'actor' | 'subject'> {
  actor_kind: TrailEvent['actor']['kind'];
  actor_uuid: string | null;
  actor_role: Role | null;
  actor_email: string | null;
  physician_id: number | null;
  settings: unknown;
  subject_kind: string | null;
  subject_uuid: string | null;
}

/**
 * Events of a tenant, the newest first, one more than `limit` where there are more. Each way in which an event can concern
 * what the filters name is read by an index of its own.
 *
 * @throws {Problem} `search_too_broad` where the events that fit are too far between.
 */
export async function findTrail(
  tx: Tx,
  tenantId: number,
  { filters, after, limit }: { filters: TrailFilters; after: TrailPosition | undefined; limit: number },
): Promise<FoundEvent[]> {
  const actor = await numberOf(tx, 'users', filters.actor_uuid);
  const patient = await numberOf(tx, 'patients', filters.patient_uuid);
  const [ways = [sql`true`], ...others] = [caseWays(filters), patientWays(filters, patient)].filter(
    (each) => each !== undefined,
  );
  const conditions = [
    sql`e.tenant_id = ${tenantId}`,
    ...conditionsOf(filters, actor),
    ...others.map((each) => sql`((${sql.join(each, sql`) OR (`)}))`),
    ...beyond(after),
  ];
  const parts = ways.map(
    (way) => sql`(SELECT * FROM event_logs e WHERE ${sql.join([way, ...conditions], sql` AND `)}
      ORDER BY e.at DESC, e.id DESC LIMIT ${limit + 1})`,
  );
  await limitTime(tx, timeLimitMs);
  const statement = sql<Row>`${sql.raw(plannedAnew)}
    SELECT e.id, e.uuid, e.at, e.category, e.action, e.outcome, e.actor_kind, e.subject_kind, e.subject_uuid, e.case_uuid,
      e.session_id AS session_uuid, e.request_id, e.ip_prefix, e.detail, patient.uuid AS patient_uuid,
      to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS moment,
      actor.uuid AS actor_uuid, actor.role AS actor_role, actor.email AS actor_email,
      physician.id AS physician_id, physician.settings
    FROM (SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS merged
      ORDER BY at DESC, id DESC LIMIT ${limit + 1}) AS e
    LEFT JOIN users actor ON actor.id = e.actor_user_id
    LEFT JOIN physicians physician ON physician.user_id = actor.id
    LEFT JOIN patients patient ON patient.id = e.patient_id
    ORDER BY e.at DESC, e.id DESC`;
  const { rows } = await withinTime(() => statement.execute(tx), 'The search takes too long. Name a time.');
  return rows.map(toEvent);
}

/** The number by which events name an account or a patient: 0, which names none, for one that is unknown. */
async function numberOf(
  tx: Tx,
  table: 'users' | 'patients',
  uuid: string | undefined,
): Promise<number | undefined> {
  if (uuid === undefined) return undefined;
  const row = await tx.selectFrom(table).select('id').where('uuid', '=', uuid).executeTakeFirst();
  return row?.id ?? 0;
}

function conditionsOf(filters: TrailFilters, actor: number | undefined): RawBuilder<unknown>[] {
  const { user_uuid, category, action, outcome, from, to } = filters;
  const isOneOf = (column: string, values: readonly string[] | undefined) =>
    values === undefined ? [] : [sql`${sql.ref(column)} IN (${sql.join(values)})`];
  const is = (condition: RawBuilder<unknown>, value: unknown) => (value === undefined ? [] : [condition]);
  return [
    ...is(sql`e.subject_uuid = ${user_uuid}`, user_uuid),
    ...is(sql`e.actor_user_id = ${actor}`, actor),
    ...isOneOf('e.category', category),
    ...isOneOf('e.action', action),
    ...is(sql`e.outcome = ${outcome}`, outcome),
    ...is(sql`e.at >= ${from}::timestamptz`, from),
    ...is(sql`e.at < ${to}::timestamptz`, to),
  ];
}

/** The first condition excludes partitions, the second one is exact. */
const beyond = (after: TrailPosition | undefined) =>
  after === undefined
    ? []
    : [
        sql`e.at <= ${after.moment}::timestamptz`,
        sql`(e.at, e.id) < (${after.moment}::timestamptz, ${after.id}::bigint)`,
      ];

/** How an event can concern a case: it belongs to it, or someone was refused it. */
const caseWays = ({ case_uuid: uuid }: TrailFilters) =>
  uuid === undefined
    ? undefined
    : [sql`e.case_uuid = ${uuid}`, sql`e.subject_uuid = ${uuid} AND e.case_uuid IS DISTINCT FROM ${uuid}`];

/** How an event can concern a patient: it names the patient, or is about the patient alone. */
const patientWays = ({ patient_uuid: uuid }: TrailFilters, patient: number | undefined) =>
  patient === undefined
    ? undefined
    : [
        sql`e.patient_id = ${patient}`,
        sql`e.subject_uuid = ${uuid} AND e.patient_id IS DISTINCT FROM ${patient}`,
      ];

function toEvent(row: Row): FoundEvent {
  const { physician_id: physician, settings, ...event } = row;
  const { actor_kind, actor_uuid, actor_role, actor_email, subject_kind, subject_uuid, ...rest } = event;
  return {
    ...rest,
    actor: {
      kind: actor_kind,
      uuid: actor_uuid,
      role: actor_role,
      display_name: physician === null ? null : physicianName({ id: physician, settings }),
      email: actor_email,
    },
    subject:
      subject_kind === null || subject_uuid === null ? null : { kind: subject_kind, uuid: subject_uuid },
  };
}
