import { type Kysely, sql } from 'kysely';

export const transaction = false;

const queued = "WHERE status = 'queued'";
const ofPhysician = 'tenant_id, assigned_physician_id, status';
const lane = 'tenant_id, lane_pool, lane_language';

const indexes = {
  request_records_by_status_and_update: '(tenant_id, status, updated_at, id)',
  request_records_by_status_and_submission: '(tenant_id, status, submitted_at, id)',
  request_records_of_physician_by_creation: `(${ofPhysician}, created_at, id)`,
  request_records_of_physician_by_update: `(${ofPhysician}, updated_at, id)`,
  request_records_of_physician_by_submission: `(${ofPhysician}, submitted_at, id)`,
  request_records_queue_by_creation: `(${lane}, created_at, id) ${queued}`,
  request_records_queue_by_update: `(${lane}, updated_at, id) ${queued}`,
  request_records_queue_by_submission: `(${lane}, submitted_at, id) ${queued}`,
};

/** Each set of cases that staff search in each order that they ask for, so that no search sorts more than it shows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [name, definition] of Object.entries(indexes)) {
    // An interrupted run leaves an invalid index.
    await sql`DROP INDEX CONCURRENTLY IF EXISTS ${sql.id(name)}`.execute(db);
    await sql`CREATE INDEX CONCURRENTLY ${sql.id(name)} ON request_records ${sql.raw(definition)}`.execute(
      db,
    );
  }
}
