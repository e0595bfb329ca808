import type { Db } from '../../../lib/db/connect.ts';
import { findTables } from './tables.queries.ts';

/** Days after which the copies that blob storage keeps of a deleted image are gone (infra: `imageRetentionDays`). */
export const deletedImagesGoneAfterDays = 14;
/** Days that a backup of the database lives at most (infra: `postgresBackupDays`). */
export const backupsGoneAfterDays = 35;

export interface Deleted {
  rows: 'deleted';
  /** Names the person: rows of others have another value. */
  column: string;
  /**
   * What the column has of the person's account; `patient`: the numbers of its patients; `profile`: that of its
   * profile as a physician; `payload`: what waits to be sent has a query of its own.
   */
  value: 'id' | 'uuid' | 'patient' | 'profile' | 'payload';
}

interface Blanked {
  rows: 'blanked';
  /** Columns that are set to null. */
  blanks: readonly string[];
  /** All others: numbers, codes and times. */
  keeps: readonly string[];
  why: string;
}

interface OfCases {
  rows: 'of_cases';
  /** Names the case: rows of drafts go, those of submitted cases stay (account-cases.queries.ts). */
  case: 'uuid' | 'case_uuid';
  /** Columns that name an account; set to null in what stays. */
  blanks: readonly string[];
}

interface Untouched {
  rows: 'untouched';
  why: string;
}

/**
 * What the erasure of a person does to each table, in this order: children before parents. A table that is missing
 * here, or a column of a blanked one, stops the command and fails a test.
 */
export const personTables: Readonly<Record<string, Deleted | Blanked | OfCases | Untouched>> = {
  tenants: { rows: 'untouched', why: 'clinics, not people' },
  applied_migrations: { rows: 'untouched', why: 'names and checksums of migrations' },
  applied_functions: { rows: 'untouched', why: 'names and checksums of database functions' },
  timers: { rows: 'untouched', why: 'names, times and outcomes of scheduled work' },
  throttle_counters: {
    rows: 'untouched',
    why: 'keys are HMACs and contain no name or address; a day at most',
  },
  refusal_windows: {
    rows: 'untouched',
    why: 'keys are HMACs; a category and the number of an event besides, a day at most',
  },
  event_logs: {
    rows: 'blanked',
    blanks: ['ip_prefix', 'session_id'],
    keeps: [
      'id',
      'uuid',
      'tenant_id',
      'category',
      'action',
      'outcome',
      'at',
      'request_id',
      'actor_user_id',
      'actor_kind',
      'subject_kind',
      'subject_uuid',
      'case_uuid',
      'patient_id',
      'detail',
    ],
    why: 'evidence of what was done, in numbers and codes; they go at the end of the retention of their category',
  },
  outbox_messages: { rows: 'deleted', column: 'payload', value: 'payload' },
  idempotency_keys: { rows: 'deleted', column: 'user_key', value: 'uuid' },
  // Those that the person sent; those to the person's address, in any tenant, go as well.
  invitations: { rows: 'deleted', column: 'invited_by', value: 'id' },
  analytics_feeds: { rows: 'untouched', why: 'times and a checksum of counts, by tenant' },
  application_parameters: {
    rows: 'untouched',
    why: 'settings of tenants; who wrote one last is set to null with the account',
  },
  parameter_sets: { rows: 'untouched', why: 'versions of those settings' },
  user_groups: { rows: 'untouched', why: 'names and capabilities of groups, without their members' },
  user_group_members: { rows: 'deleted', column: 'user_id', value: 'id' },
  push_devices: { rows: 'deleted', column: 'user_id', value: 'id' },
  user_notices: { rows: 'deleted', column: 'user_id', value: 'id' },
  refresh_tokens: { rows: 'deleted', column: 'user_id', value: 'id' },
  sessions: { rows: 'deleted', column: 'user_id', value: 'id' },
  password_reset_tokens: { rows: 'deleted', column: 'user_id', value: 'id' },
  // Those to the person's address, in any tenant, go as well.
  email_verification_tokens: { rows: 'deleted', column: 'user_id', value: 'id' },
  case_skips: { rows: 'of_cases', case: 'case_uuid', blanks: [] },
  case_messages: { rows: 'of_cases', case: 'case_uuid', blanks: ['author_user_id'] },
  case_images: { rows: 'of_cases', case: 'case_uuid', blanks: [] },
  request_anamneses: { rows: 'of_cases', case: 'case_uuid', blanks: ['author_user_id'] },
  // Who has written them is forgotten with the profile of the physician (account-cases.queries.ts).
  audit_annotations: { rows: 'of_cases', case: 'case_uuid', blanks: [] },
  request_records: { rows: 'of_cases', case: 'uuid', blanks: ['account_user_id', 'created_by_user_id'] },
  dermatologist_annotations: { rows: 'of_cases', case: 'case_uuid', blanks: [] },
  // Those of the tenant stay.
  report_templates: { rows: 'deleted', column: 'physician_id', value: 'profile' },
  disease_catalog: { rows: 'untouched', why: 'diseases, not people' },
  vendor_disease_catalog: { rows: 'untouched', why: 'diseases, not people' },
  // Those of which no case is left.
  case_batches: { rows: 'deleted', column: 'account_user_id', value: 'id' },
  physicians: { rows: 'deleted', column: 'user_id', value: 'id' },
  // But for those of submitted cases, which have no owner any more.
  images: { rows: 'deleted', column: 'owner_user_id', value: 'id' },
  user_check_logs: { rows: 'deleted', column: 'patient_id', value: 'patient' },
  patient_name_keys: { rows: 'deleted', column: 'patient_id', value: 'patient' },
  patients: { rows: 'deleted', column: 'account_user_id', value: 'id' },
  ml_diagnosis_results: { rows: 'deleted', column: 'user_id', value: 'id' },
  users: { rows: 'deleted', column: 'id', value: 'id' },
};

/**
 * What of the database's tables the list above does not know: `table`, or `table.column` of a blanked one.
 */
export async function findUnknownTables(db: Db): Promise<string[]> {
  const tables = await findTables(db);
  return tables.flatMap(({ table, columns }) => {
    const known = personTables[table];
    if (known === undefined) return [table];
    if (known.rows !== 'blanked') return [];
    const named = [...known.blanks, ...known.keeps];
    return columns.filter((column) => !named.includes(column)).map((column) => `${table}.${column}`);
  });
}
