// A large database, written by PostgreSQL itself: minutes, not hours.
import { query } from '../../services/postgres.ts';
import { caseFillings } from './seed-cases.ts';
import { type Filling, FULL, type Sizes, tenantOf, uuid } from './seed-values.ts';

/** Row counts at `scale` of the full size; the number of tenants stays. */
export function sizesAt(scale: number): Sizes {
  const scaled = Object.entries(FULL).map(([name, rows]) => [name, Math.round(rows * scale)]);
  return { ...(Object.fromEntries(scaled) as Sizes), tenants: FULL.tenants };
}

/** Tenant 1 is `default` and has nine users in ten: a big clinic among small ones. Session n belongs to user n, token n to a session. */
const fillings = (n: Sizes): Filling[] => [
  [
    'tenants',
    `INSERT INTO tenants (uuid, name, slug)
     SELECT gen_random_uuid(), 'Tenant ' || i, CASE i WHEN 1 THEN 'default' ELSE 'tenant-' || i END
     FROM generate_series(1, ${n.tenants}) i`,
  ],
  [
    'users',
    `INSERT INTO users (uuid, tenant_id, email, password_hash, role)
     SELECT ${uuid('a', 'i')}, ${tenantOf(n, 'i')}, 'user' || i || '@example.org', '!',
       CASE WHEN i % 1000 = 0 THEN 'admin' WHEN i % 20 = 3 THEN 'physician' ELSE 'patient' END
     FROM generate_series(1, ${n.users}) i`,
  ],
  [
    'physicians',
    `INSERT INTO physicians (uuid, tenant_id, user_id)
     SELECT gen_random_uuid(), tenant_id, id FROM users WHERE role = 'physician'`,
  ],
  [
    // Every third account has a child besides the account owner.
    'patients',
    `INSERT INTO patients (uuid, tenant_id, account_user_id, relation, external_id, birth_date)
     SELECT gen_random_uuid(), tenant_id, id, 'self', 'p' || id, DATE '1980-01-01' FROM users WHERE role = 'patient'
     UNION ALL
     SELECT gen_random_uuid(), tenant_id, id, 'child', 'c' || id, DATE '2020-01-01' FROM users
       WHERE role = 'patient' AND id % 3 = 0`,
  ],
  [
    // A thousand given names, which many patients share, and forty thousand family names, which few do.
    'patient_name_keys',
    `INSERT INTO patient_name_keys (tenant_id, key, patient_id)
     SELECT tenant_id, word || lpad((id % names)::text, 5, '0'), id
     FROM patients, (VALUES ('ann', 1000), ('levi', 40000)) AS w(word, names)`,
  ],
  ...caseFillings,
  [
    'request_anamneses',
    `INSERT INTO request_anamneses (case_uuid, revision, tenant_id, anamnesis, sha256, schema_version, author_user_id, author_kind)
     SELECT uuid, 1, tenant_id, '{"complaint":{"category":"rash"}}', sha256('x'), '1', account_user_id, 'patient'
     FROM request_records`,
  ],
  [
    'case_images',
    `INSERT INTO case_images (case_uuid, image_uuid, tenant_id, position, added_at)
     SELECT uuid, ${uuid('c', 'account_user_id')}, tenant_id, 0, created_at FROM request_records`,
  ],
  [
    // One in ten has ended; a few have been over for more than the thirty days that the evidence is kept.
    'sessions',
    `INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at,
       revoked_at, revoked_reason, ip_prefix, created_at)
     SELECT ${uuid('b', 'i')}, ${tenantOf(n, 'i')}, i, t, t, t + interval '30 days', t + interval '180 days',
       CASE WHEN i % 10 = 0 THEN t + interval '1 hour' END, CASE WHEN i % 10 = 0 THEN 'logout' END, '192.0.2.0/24', t
     FROM (SELECT i, now() - random() * interval '59 days' - CASE WHEN i % 500 = 0 THEN interval '2 days' ELSE '0' END
           FROM generate_series(1, ${n.sessions}) i) AS s(i, t)`,
  ],
  [
    // The last of each session is in use, the others have been exchanged for it one after the other.
    'refresh_tokens',
    `INSERT INTO refresh_tokens (tenant_id, user_id, session_uuid, token_hash, expires_at, revoked, revoked_reason,
       rotated_at, created_at)
     SELECT ${tenantOf(n, 's')}, s, ${uuid('b', 's')}, sha256(i::text::bytea) AS token_hash, t + interval '30 days',
       i <= ${n.refreshTokens - n.sessions}, CASE WHEN i <= ${n.refreshTokens - n.sessions} THEN 'rotated' END,
       CASE WHEN i <= ${n.refreshTokens - n.sessions} THEN t + interval '1 hour' END, t
     FROM (SELECT i, 1 + (i - 1) % ${n.sessions}, now() - random() * interval '30.1 days'
           FROM generate_series(1, ${n.refreshTokens}) i) AS r(i, s, t)
     ORDER BY token_hash`,
  ],
  [
    'images',
    `INSERT INTO images (uuid, tenant_id, owner_user_id, name, state, blob_name, sha256, content_type, width_px,
       height_px, orientation, size_bytes)
     SELECT ${uuid('c', 'i')}, ${tenantOf(n, 'i')}, 1 + (i - 1) % ${n.users}, i || '.jpg', 'stored',
       encode(sha256(('blob' || i)::bytea), 'hex'), sha256(('image' || i)::bytea), 'image/jpeg', 1000, 1000, 1, 200000
     FROM generate_series(1, ${n.images}) i`,
  ],
  [
    // A few are older than two years, and a few have answers that are older than ninety days: due at the next clean-up.
    'ml_diagnosis_results',
    `INSERT INTO ml_diagnosis_results (uuid, tenant_id, user_id, kind, input_sha256, outcome, latency_ms, language,
       request_id, created_at, anamnesis)
     SELECT ${uuid('d', 'i')}, ${tenantOf(n, 'i')}, i, 'diagnosis', sha256(i::text::bytea), 'ok', 300, 'en', 'seed', t,
       CASE WHEN t > now() - interval '91 days' THEN '{}'::jsonb END
     FROM (SELECT i, now() - random() * interval '735 days' FROM generate_series(1, ${n.results}) i) AS r(i, t)`,
  ],
  [
    'event_logs',
    `INSERT INTO event_logs (uuid, tenant_id, category, action, outcome, actor_user_id, actor_kind)
     SELECT ${uuid('e', 'i')}, ${tenantOf(n, 'i')}, CASE WHEN i % 2 = 0 THEN 'auth' ELSE 'ai' END, 'logged_in',
       'success', 1 + (i - 1) % ${n.users}, 'user'
     FROM generate_series(1, ${n.events}) i`,
  ],
  [
    'password_reset_tokens',
    `INSERT INTO password_reset_tokens (tenant_id, user_id, token_hash, expires_at, used, used_at)
     SELECT ${tenantOf(n, 'i')}, i, sha256(i::text::bytea), now() - random() * interval '30 days', true, now()
     FROM generate_series(1, ${n.others}) i`,
  ],
  [
    'invitations',
    `INSERT INTO invitations (uuid, tenant_id, email, role, token_hash, invited_by, expires_at, used_at)
     SELECT ${uuid('f', 'i')}, ${tenantOf(n, 'i')}, 'guest' || i || '@example.org', 'patient',
       sha256(i::text::bytea), i, now() - random() * interval '30 days', CASE WHEN i % 2 = 0 THEN now() END
     FROM generate_series(1, ${n.others}) i`,
  ],
  [
    'throttle_counters',
    `INSERT INTO throttle_counters (key, attempts, window_ends_at)
     SELECT sha256(i::text::bytea), 1, now() + random() * interval '24 hours' - interval '5 minutes'
     FROM generate_series(1, ${n.others}) i`,
  ],
  [
    'idempotency_keys',
    `INSERT INTO idempotency_keys (tenant_id, user_key, route, key_hash, fingerprint, state, started_at, expires_at)
     SELECT ${tenantOf(n, 'i')}, i::text, 'POST api/common/store_images', sha256(i::text::bytea),
       sha256('x'), 'done', now(), now() + random() * interval '24 hours' - interval '5 minutes'
     FROM generate_series(1, ${n.others}) i`,
  ],
  [
    // Some were last seen more than ninety days ago.
    'push_devices',
    `INSERT INTO push_devices (uuid, tenant_id, user_id, session_uuid, platform, token_hash, token, app_version, last_seen_at)
     SELECT gen_random_uuid(), tenant_id, user_id, uuid, 'ios', sha256(uuid::text::bytea), 'sealed', '1.0',
       now() - random() * interval '91 days'
     FROM sessions WHERE user_id % 5 = 0`,
  ],
  [
    'user_notices',
    `INSERT INTO user_notices (tenant_id, user_id, kind, payload, expires_at, created_at)
     SELECT tenant_id, id, 'case.assigned', '{}', t + interval '24 hours', t
     FROM (SELECT tenant_id, id, now() - random() * interval '24.1 hours' AS t
           FROM users, generate_series(1, 200) WHERE role <> 'patient') AS n`,
  ],
  [
    // A few are older than two years.
    'user_check_logs',
    `INSERT INTO user_check_logs (tenant_id, user_id, patient_id, check_kind, outcome, created_at)
     SELECT tenant_id, account_user_id, id, 'eligibility', 'eligible', now() - random() * interval '735 days'
     FROM patients WHERE id % 5 = 0`,
  ],
  [
    // Each tenant has settings of its own apps besides.
    'application_parameters',
    `INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
     SELECT t, 'app', 'screen_' || i, 'colour', '"blue"', 'public'
     FROM generate_series(1, ${n.tenants}) t, generate_series(1, 100) i`,
  ],
  [
    // A mail server that has been away: nearly all wait for their next try, some are dead, a few for over 30 days.
    'outbox_messages',
    `INSERT INTO outbox_messages (tenant_id, consumer, topic, payload, available_at, attempts, dead_at)
     SELECT ${tenantOf(n, 'i')}, 'mail', 'seed', '{}', now() + random() * interval '24 hours' + interval '1 hour', 3,
       CASE WHEN i % 10 = 0 THEN now() - random() * interval '31 days' END
     FROM generate_series(1, ${n.others}) i`,
  ],
];

/**
 * Fills a migrated, empty database.
 * @param superuserUrl of that database: row-level security binds everybody else. Foreign keys are not checked row by
 *   row, which would take most of the time; the fillings above keep them.
 */
export async function seedLargely(superuserUrl: string, sizes: Sizes, report: (line: string) => void) {
  for (const [what, text] of fillings(sizes)) {
    const startedAt = performance.now();
    const indexes = await secondaryIndexes(superuserUrl, what);
    await query(superuserUrl, [...indexes.map(({ name }) => `DROP INDEX ${name}`), FAST, text].join(';\n'));
    await query(superuserUrl, [FAST, ...indexes.map(({ definition }) => definition)].join(';\n'));
    report(`${what.padEnd(22)} ${((performance.now() - startedAt) / 1000).toFixed(1).padStart(6)} s`);
  }
  await query(superuserUrl, 'VACUUM ANALYZE');
}

const FAST = `SET session_replication_role = replica; SET work_mem = '256MB'; SET maintenance_work_mem = '512MB'`;

/** Made again when the rows are in: row by row, indexes in a random order would take most of the time. */
async function secondaryIndexes(superuserUrl: string, table: string) {
  const rows = await query(
    superuserUrl,
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     JOIN pg_class ON pg_class.oid = indrelid AND relkind = 'r' -- of a partitioned table each partition would need it
     WHERE indrelid = $1::regclass AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)`,
    [table],
  );
  return rows as { name: string; definition: string }[];
}
