import { type Kysely, sql } from 'kysely';
import { protectTenantTable } from './rights/table-rights.ts';

export async function up(db: Kysely<unknown>): Promise<void> {
  await createApplicationParameters(db);
  await createParameterSets(db);
  await writeDefaults(db);
}

/** Settings that tenants may change while the app runs. A row without a tenant is the default of the platform. */
async function createApplicationParameters(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE application_parameters (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      tenant_id integer REFERENCES tenants (id),
      branch text NOT NULL CHECK (branch ~ '^[a-z0-9_-]{1,48}$'),
      sub_branch text NOT NULL CHECK (sub_branch ~ '^[a-z0-9_-]{1,48}$'),
      key text NOT NULL CHECK (key ~ '^[a-z0-9_]{1,64}$'),
      value jsonb NOT NULL CHECK (octet_length(value::text) <= 65536),
      value_schema text CHECK (length(value_schema) <= 100),
      visibility text NOT NULL CHECK (visibility IN ('public', 'authenticated', 'staff', 'internal')),
      version integer NOT NULL DEFAULT 1,
      updated_by integer,
      updated_at timestamptz NOT NULL DEFAULT now(),
      created_at timestamptz NOT NULL DEFAULT now(),
      CONSTRAINT application_parameters_once UNIQUE NULLS NOT DISTINCT (tenant_id, branch, sub_branch, key),
      FOREIGN KEY (tenant_id, updated_by) REFERENCES users (tenant_id, id) ON DELETE SET NULL (updated_by)
    )`.execute(db);
  await protectTenantTable(db, 'application_parameters', 'SELECT, INSERT, UPDATE, DELETE');
  // Every tenant reads the defaults; only the role that migrates writes them.
  await sql`
    CREATE POLICY platform_read ON application_parameters FOR SELECT USING (tenant_id IS NULL)`.execute(db);
  await sql`
    CREATE POLICY platform_write ON application_parameters
    USING (tenant_id IS NULL AND CURRENT_USER <> 'dermagate_app')`.execute(db);
}

/** Counts the changes of a tenant's own values. It outlives them: a version never comes back with other values. */
async function createParameterSets(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE parameter_sets (
      tenant_id integer NOT NULL REFERENCES tenants (id),
      branch text NOT NULL CHECK (branch ~ '^[a-z0-9_-]{1,48}$'),
      sub_branch text NOT NULL CHECK (sub_branch ~ '^[a-z0-9_-]{1,48}$'),
      version integer NOT NULL DEFAULT 1,
      PRIMARY KEY (tenant_id, branch, sub_branch)
    )`.execute(db);
  await protectTenantTable(db, 'parameter_sets', 'SELECT, INSERT, UPDATE');
}

async function writeDefaults(db: Kysely<unknown>): Promise<void> {
  for (const [name, { visibility, values }] of Object.entries(defaults)) {
    const [branch, subBranch] = name.split('/');
    for (const [key, value] of Object.entries(values)) {
      await sql`
        INSERT INTO application_parameters (branch, sub_branch, key, value, value_schema, visibility)
        VALUES (${branch}, ${subBranch}, ${key}, ${JSON.stringify(value)}::jsonb, ${name}, ${visibility})`.execute(
        db,
      );
    }
  }
}

const defaults: Readonly<Record<string, { visibility: string; values: Readonly<Record<string, unknown>> }>> =
  {
    'queue/sla_hours': {
      visibility: 'staff',
      values: { emergency: 1, urgent_24h: 24, soon_2_weeks: 72, routine: 120, self_care: 168 },
    },
    'queue/rules': {
      visibility: 'staff',
      values: {
        lease_minutes: 30,
        allow_claim: true,
        undo_minutes: 5,
        reserve_hours: 24,
        pool_open_minutes: [15, 120, 1440],
        language_open_minutes: [15, 240, 2880],
        skip_hours: 24,
      },
    },
    'eligibility/rules': {
      visibility: 'internal',
      values: {
        version: '1',
        min_age_years: 0,
        guardian_under_years: 18,
        excluded_sites: [{ site: 'groin_genitals', under_years: 16 }],
        quota: { cases: 5, days: 30 },
        duplicate_days: 7,
        membership: 'none',
      },
    },
    'audit/rules': {
      visibility: 'internal',
      values: { sample_percent: 5, always_urgencies: ['high', 'emergency'], always_on_disagreement: true },
    },
    'retention/rules': {
      visibility: 'internal',
      values: {
        case_years: 10,
        minor_until_years: 25,
        draft_days: 30,
        pending_days: 14,
        legal_basis: 'duty to retain medical records',
      },
    },
    'auth/rules': {
      visibility: 'internal',
      values: {
        mfa_required_roles: [],
        session_idle_minutes: 30,
        session_absolute_hours: 12,
        unique_session: false,
      },
    },
    'notify/rules': {
      visibility: 'internal',
      values: { channels: ['mail', 'push'], quiet_hours: null, reminder_days: [3, 10], time_zone: 'UTC' },
    },
    'desk/features': { visibility: 'authenticated', values: { show_ai_findings_open: false } },
    'mobile/app': {
      visibility: 'public',
      values: {
        min_version: null,
        recommended_version: null,
        maintenance: null,
        support_email: null,
        links: {},
      },
    },
    'legal/consent': { visibility: 'public', values: { version: '1', resource: 'consent' } },
    'legal/privacy': { visibility: 'public', values: { version: '1', resource: 'privacy' } },
    'portal/features': {
      visibility: 'public',
      values: { cases: true, show_ai_result: true, languages: ['en', 'he', 'ar', 'es'] },
    },
  };
