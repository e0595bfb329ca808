-- Inputs: sha256 acb16ee59f0ee73ad26e71c6e621daf3a40ad90990728925df1adf8769380495
-- The whole schema, written from the catalogue of a database with every migration: `npm run db:schema`. Do not edit.
-- Not shown: the partitions of the event log for single months and years.

-- Roles belong to the server:
--   dermagate_app does not log in and is not a superuser; it may not bypass row-level security.
--   dermagate_lookup does not log in and is not a superuser; it may not bypass row-level security.
--   dermagate_app may do in the schema: USAGE.
--   dermagate_lookup may do in the schema: USAGE.
--   New functions of dermagate_lookup are closed to everyone.
--   New functions of the role that migrates are closed to everyone.

-- tenants ---------------------------------------------------------------------------------------------------
CREATE TABLE tenants (
  id                integer     NOT NULL GENERATED ALWAYS AS IDENTITY,
  uuid              uuid        NOT NULL,
  name              text        NOT NULL,
  slug              text        NOT NULL,
  is_active         boolean     NOT NULL DEFAULT true,
  self_registration boolean     NOT NULL DEFAULT true,
  created_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT tenants_pkey PRIMARY KEY (id),
  CONSTRAINT tenants_slug_key UNIQUE (slug),
  CONSTRAINT tenants_uuid_key UNIQUE (uuid),
  CONSTRAINT tenants_name_check CHECK (length(name) >= 1 AND length(name) <= 200),
  CONSTRAINT tenants_slug_check CHECK (slug ~ '^[a-z0-9](-?[a-z0-9]){0,62}$')
);
GRANT SELECT ON tenants TO dermagate_app;
GRANT SELECT ON tenants TO dermagate_lookup;

-- users -----------------------------------------------------------------------------------------------------
CREATE TABLE users (
  uuid              uuid        NOT NULL,
  id                integer     NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id         integer     NOT NULL,
  email             text        NOT NULL,
  password_hash     text        NOT NULL,
  role              text        NOT NULL,
  language          text,
  notify_channels   text[]      NOT NULL DEFAULT '{mail,push}'::text[],
  is_active         boolean     NOT NULL DEFAULT true,
  is_verified       boolean     NOT NULL DEFAULT false,
  email_verified_at timestamptz,
  last_login        timestamptz,
  version           integer     NOT NULL DEFAULT 1,
  created_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT users_pkey PRIMARY KEY (uuid),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_id_key UNIQUE (id),
  CONSTRAINT users_tenant_id_id_key UNIQUE (tenant_id, id),
  CONSTRAINT users_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT users_email_check CHECK (email = lower(email) AND length(email) <= 254),
  CONSTRAINT users_language_check CHECK (language IN ('en', 'he', 'ar', 'es')),
  CONSTRAINT users_notify_channels_check CHECK (notify_channels <@ ARRAY['mail',
    'push'] AND cardinality(notify_channels) <= 2),
  CONSTRAINT users_role_check CHECK (role IN ('patient', 'physician', 'admin')),
  CONSTRAINT users_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE INDEX users_by_address ON users (tenant_id, role, is_active, email COLLATE "C");
ALTER TABLE users ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON users
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON users FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE ON users TO dermagate_app;
GRANT SELECT ON users TO dermagate_lookup;

-- password_reset_tokens -------------------------------------------------------------------------------------
CREATE TABLE password_reset_tokens (
  id         bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id  integer     NOT NULL,
  user_id    integer     NOT NULL,
  token_hash bytea       NOT NULL,
  expires_at timestamptz NOT NULL,
  used       boolean     NOT NULL DEFAULT false,
  used_at    timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT password_reset_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT password_reset_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT password_reset_tokens_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT password_reset_tokens_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX reset_tokens_of_user ON password_reset_tokens (tenant_id, user_id);
CREATE INDEX reset_tokens_to_clean ON password_reset_tokens (tenant_id, expires_at);
ALTER TABLE password_reset_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON password_reset_tokens
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON password_reset_tokens FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON password_reset_tokens TO dermagate_app;
GRANT SELECT ON password_reset_tokens TO dermagate_lookup;

-- email_verification_tokens ---------------------------------------------------------------------------------
CREATE TABLE email_verification_tokens (
  id         bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id  integer     NOT NULL,
  user_id    integer     NOT NULL,
  email      text        NOT NULL,
  token_hash bytea       NOT NULL,
  expires_at timestamptz NOT NULL,
  used       boolean     NOT NULL DEFAULT false,
  used_at    timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT email_verification_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT email_verification_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT email_verification_tokens_email_check CHECK (email = lower(email) AND length(email) <= 254),
  CONSTRAINT email_verification_tokens_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT email_verification_tokens_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX verification_tokens_of_user ON email_verification_tokens (tenant_id, user_id);
CREATE INDEX verification_tokens_to_clean ON email_verification_tokens (tenant_id, expires_at);
ALTER TABLE email_verification_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON email_verification_tokens
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON email_verification_tokens FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON email_verification_tokens TO dermagate_app;
GRANT SELECT ON email_verification_tokens TO dermagate_lookup;

-- invitations -----------------------------------------------------------------------------------------------
CREATE TABLE invitations (
  uuid          uuid        NOT NULL,
  tenant_id     integer     NOT NULL,
  email         text        NOT NULL,
  role          text        NOT NULL,
  token_hash    bytea       NOT NULL,
  invited_by    integer     NOT NULL,
  sent_by_mail  boolean     NOT NULL DEFAULT false,
  expires_at    timestamptz NOT NULL,
  used_at       timestamptz,
  superseded_at timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invitations_pkey PRIMARY KEY (uuid),
  CONSTRAINT invitations_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT invitations_token_hash_key UNIQUE (token_hash),
  CONSTRAINT invitations_email_check CHECK (email = lower(email) AND length(email) <= 254),
  CONSTRAINT invitations_role_check CHECK (role IN ('patient', 'physician', 'admin')),
  CONSTRAINT invitations_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT invitations_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT invitations_tenant_id_invited_by_fkey FOREIGN KEY (tenant_id, invited_by)
    REFERENCES users(tenant_id, id)
);
CREATE UNIQUE INDEX invitations_open ON invitations (tenant_id, email)
    WHERE ((used_at IS NULL) AND (superseded_at IS NULL));
CREATE INDEX invitations_to_clean ON invitations (tenant_id, expires_at);
CREATE INDEX invitations_by_inviter ON invitations (tenant_id, invited_by);
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitations
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON invitations FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON invitations TO dermagate_app;
GRANT SELECT ON invitations TO dermagate_lookup;

-- sessions --------------------------------------------------------------------------------------------------
CREATE TABLE sessions (
  uuid                uuid        NOT NULL,
  tenant_id           integer     NOT NULL,
  user_id             integer     NOT NULL,
  kind                text        NOT NULL DEFAULT 'api',
  auth_time           timestamptz NOT NULL,
  amr                 text[]      NOT NULL DEFAULT '{pwd}'::text[],
  ip_prefix           text,
  user_agent          text,
  last_used_at        timestamptz NOT NULL,
  renewals            integer     NOT NULL DEFAULT 0,
  renewals_until      timestamptz,
  idle_expires_at     timestamptz NOT NULL,
  absolute_expires_at timestamptz NOT NULL,
  revoked_at          timestamptz,
  revoked_reason      text,
  replaced_by         uuid,
  created_at          timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT sessions_pkey PRIMARY KEY (uuid),
  CONSTRAINT sessions_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT sessions_check CHECK ((revoked_at IS NULL) = (revoked_reason IS NULL)),
  CONSTRAINT sessions_kind_check CHECK (kind IN ('api', 'backoffice')),
  CONSTRAINT sessions_revoked_reason_check CHECK (revoked_reason IN ('logout', 'logout_all', 'reuse_detected',
    'password_changed', 'password_reset', 'replaced', 'account_inactive', 'revoked_by_user',
    'revoked_by_admin', 'session_limit', 'address_released')),
  CONSTRAINT sessions_user_agent_check CHECK (length(user_agent) <= 400),
  CONSTRAINT sessions_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users(tenant_id, id)
);
CREATE INDEX sessions_of_user ON sessions (tenant_id, user_id, created_at);
CREATE INDEX sessions_open ON sessions (tenant_id, user_id, last_used_at) WHERE (revoked_at IS NULL);
CREATE INDEX sessions_to_clean ON sessions (tenant_id, LEAST(idle_expires_at, absolute_expires_at,
    revoked_at));
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sessions
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON sessions FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO dermagate_app;
GRANT SELECT ON sessions TO dermagate_lookup;

-- refresh_tokens --------------------------------------------------------------------------------------------
CREATE TABLE refresh_tokens (
  id               bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id        integer     NOT NULL,
  user_id          integer     NOT NULL,
  session_uuid     uuid        NOT NULL,
  token_hash       bytea       NOT NULL,
  expires_at       timestamptz NOT NULL,
  revoked          boolean     NOT NULL DEFAULT false,
  revoked_reason   text,
  rotated_at       timestamptz,
  sealed_successor bytea,
  created_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT refresh_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT refresh_tokens_token_hash_key UNIQUE (token_hash),
  CONSTRAINT refresh_tokens_check CHECK (revoked = (revoked_reason IS NOT NULL)),
  CONSTRAINT refresh_tokens_revoked_reason_check CHECK (revoked_reason IN ('rotated', 'session_ended')),
  CONSTRAINT refresh_tokens_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT refresh_tokens_tenant_id_session_uuid_fkey FOREIGN KEY (tenant_id, session_uuid)
    REFERENCES sessions(tenant_id, uuid) ON DELETE CASCADE,
  CONSTRAINT refresh_tokens_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX refresh_tokens_of_session ON refresh_tokens (tenant_id, session_uuid);
CREATE INDEX refresh_tokens_to_clean ON refresh_tokens (tenant_id, expires_at);
CREATE INDEX refresh_tokens_of_user ON refresh_tokens (tenant_id, user_id);
ALTER TABLE refresh_tokens ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON refresh_tokens
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON refresh_tokens FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON refresh_tokens TO dermagate_app;
GRANT SELECT ON refresh_tokens TO dermagate_lookup;

-- push_devices ----------------------------------------------------------------------------------------------
CREATE TABLE push_devices (
  uuid         uuid        NOT NULL,
  tenant_id    integer     NOT NULL,
  user_id      integer     NOT NULL,
  session_uuid uuid        NOT NULL,
  platform     text        NOT NULL,
  token_hash   bytea       NOT NULL,
  token        text        NOT NULL,
  app_version  text        NOT NULL,
  last_seen_at timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT push_devices_pkey PRIMARY KEY (uuid),
  CONSTRAINT push_devices_tenant_id_token_hash_key UNIQUE (tenant_id, token_hash),
  CONSTRAINT push_devices_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT push_devices_app_version_check CHECK (length(app_version) <= 32),
  CONSTRAINT push_devices_platform_check CHECK (platform IN ('ios', 'android', 'web')),
  CONSTRAINT push_devices_token_check CHECK (length(token) <= 12288),
  CONSTRAINT push_devices_token_hash_check CHECK (length(token_hash) = 32),
  CONSTRAINT push_devices_tenant_id_session_uuid_fkey FOREIGN KEY (tenant_id, session_uuid)
    REFERENCES sessions(tenant_id, uuid) ON DELETE CASCADE,
  CONSTRAINT push_devices_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX push_devices_of_user ON push_devices (tenant_id, user_id);
CREATE INDEX push_devices_of_session ON push_devices (tenant_id, session_uuid);
CREATE INDEX push_devices_to_clean ON push_devices (tenant_id, last_seen_at);
CREATE INDEX push_devices_by_token ON push_devices (token_hash);
ALTER TABLE push_devices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON push_devices
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON push_devices FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON push_devices TO dermagate_app;
GRANT SELECT ON push_devices TO dermagate_lookup;

-- physicians ------------------------------------------------------------------------------------------------
CREATE TABLE physicians (
  uuid                uuid        NOT NULL,
  id                  integer     NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id           integer     NOT NULL,
  user_id             integer     NOT NULL,
  employee_id         bigint,
  language_preference text        NOT NULL DEFAULT 'en',
  private_pool        text,
  vacation_mode       boolean     NOT NULL DEFAULT false,
  vacation_until      timestamptz,
  last_active_at      timestamptz,
  settings            jsonb       NOT NULL DEFAULT '{}'::jsonb,
  admin_settings      jsonb       NOT NULL DEFAULT '{}'::jsonb,
  version             integer     NOT NULL DEFAULT 1,
  created_at          timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT physicians_pkey PRIMARY KEY (uuid),
  CONSTRAINT physicians_id_key UNIQUE (id),
  CONSTRAINT physicians_tenant_id_employee_id_key UNIQUE (tenant_id, employee_id),
  CONSTRAINT physicians_tenant_id_id_key UNIQUE (tenant_id, id),
  CONSTRAINT physicians_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT physicians_user_id_key UNIQUE (user_id),
  CONSTRAINT physicians_check CHECK (vacation_until IS NULL OR vacation_mode),
  CONSTRAINT physicians_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX physicians_back_from_vacation ON physicians (tenant_id, vacation_until)
    WHERE (vacation_until IS NOT NULL);
CREATE INDEX physicians_of_pool ON physicians (tenant_id, private_pool) WHERE (private_pool IS NOT NULL);
ALTER TABLE physicians ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON physicians
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON physicians FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE ON physicians TO dermagate_app;
GRANT SELECT ON physicians TO dermagate_lookup;

-- user_groups -----------------------------------------------------------------------------------------------
CREATE TABLE user_groups (
  uuid       uuid        NOT NULL,
  id         integer     NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id  integer     NOT NULL,
  name       text        NOT NULL,
  settings   jsonb       NOT NULL DEFAULT '{}'::jsonb,
  version    integer     NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT user_groups_pkey PRIMARY KEY (uuid),
  CONSTRAINT user_groups_id_key UNIQUE (id),
  CONSTRAINT user_groups_tenant_id_id_key UNIQUE (tenant_id, id),
  CONSTRAINT user_groups_tenant_id_name_key UNIQUE (tenant_id, name),
  CONSTRAINT user_groups_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT user_groups_name_check CHECK (length(name) >= 1 AND length(name) <= 120),
  CONSTRAINT user_groups_settings_check CHECK (octet_length(settings::text) <= 16384),
  CONSTRAINT user_groups_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
ALTER TABLE user_groups ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_groups
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_groups TO dermagate_app;

-- user_group_members ----------------------------------------------------------------------------------------
CREATE TABLE user_group_members (
  tenant_id  integer     NOT NULL,
  group_id   integer     NOT NULL,
  user_id    integer     NOT NULL,
  added_by   integer,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT user_group_members_pkey PRIMARY KEY (tenant_id, group_id, user_id),
  CONSTRAINT user_group_members_tenant_id_added_by_fkey FOREIGN KEY (tenant_id, added_by)
    REFERENCES users(tenant_id, id) ON DELETE SET NULL (added_by),
  CONSTRAINT user_group_members_tenant_id_group_id_fkey FOREIGN KEY (tenant_id, group_id)
    REFERENCES user_groups(tenant_id, id) ON DELETE CASCADE,
  CONSTRAINT user_group_members_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX user_group_members_of_user ON user_group_members (tenant_id, user_id);
ALTER TABLE user_group_members ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_group_members
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_group_members TO dermagate_app;

-- patients --------------------------------------------------------------------------------------------------
CREATE TABLE patients (
  id                    bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  uuid                  uuid        NOT NULL,
  tenant_id             integer     NOT NULL,
  account_user_id       integer,
  relation              text        NOT NULL,
  external_id           text,
  given_name            text,
  family_name           text,
  birth_date            date,
  gender                text,
  sex_at_birth          text,
  language              text,
  pool                  text,
  version               integer     NOT NULL DEFAULT 1,
  guardian_confirmed_at timestamptz,
  deactivated_at        timestamptz,
  erased_at             timestamptz,
  created_at            timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT patients_pkey PRIMARY KEY (id),
  CONSTRAINT patients_tenant_id_external_id_key UNIQUE (tenant_id, external_id),
  CONSTRAINT patients_tenant_id_id_key UNIQUE (tenant_id, id),
  CONSTRAINT patients_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT patients_uuid_key UNIQUE (uuid),
  CONSTRAINT patients_external_id_check CHECK (length(external_id) >= 1 AND length(external_id) <= 64),
  CONSTRAINT patients_family_name_check CHECK (length(family_name) >= 1 AND length(family_name) <= 80),
  CONSTRAINT patients_gender_check CHECK (gender IN ('female', 'male', 'other', 'prefer_not_to_say',
    'unknown')),
  CONSTRAINT patients_given_name_check CHECK (length(given_name) >= 1 AND length(given_name) <= 80),
  CONSTRAINT patients_language_check CHECK (language IN ('en', 'he', 'ar', 'es')),
  CONSTRAINT patients_pool_check CHECK (length(pool) >= 1 AND length(pool) <= 64),
  CONSTRAINT patients_relation_check CHECK (relation IN ('self', 'child', 'ward', 'other')),
  CONSTRAINT patients_sex_at_birth_check CHECK (sex_at_birth IN ('female', 'male', 'intersex',
    'prefer_not_to_say')),
  CONSTRAINT patients_tenant_id_account_user_id_fkey FOREIGN KEY (tenant_id, account_user_id)
    REFERENCES users(tenant_id, id),
  CONSTRAINT patients_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE UNIQUE INDEX patients_self ON patients (tenant_id, account_user_id) WHERE (relation = 'self');
CREATE INDEX patients_of_account ON patients (tenant_id, account_user_id, id);
ALTER TABLE patients ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON patients
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON patients TO dermagate_app;

-- patient_name_keys -----------------------------------------------------------------------------------------
CREATE TABLE patient_name_keys (
  tenant_id  integer NOT NULL,
  key        text    COLLATE "C" NOT NULL,
  patient_id bigint  NOT NULL,
  CONSTRAINT patient_name_keys_pkey PRIMARY KEY (tenant_id, key, patient_id),
  CONSTRAINT patient_name_keys_key_check CHECK (length(key) >= 1 AND length(key) <= 80),
  CONSTRAINT patient_name_keys_tenant_id_patient_id_fkey FOREIGN KEY (tenant_id, patient_id)
    REFERENCES patients(tenant_id, id)
);
CREATE INDEX patient_name_keys_of_patient ON patient_name_keys (tenant_id, patient_id);
ALTER TABLE patient_name_keys ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON patient_name_keys
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE, DELETE ON patient_name_keys TO dermagate_app;

-- application_parameters ------------------------------------------------------------------------------------
CREATE TABLE application_parameters (
  id           integer     NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id    integer,
  branch       text        NOT NULL,
  sub_branch   text        NOT NULL,
  key          text        NOT NULL,
  value        jsonb       NOT NULL,
  value_schema text,
  visibility   text        NOT NULL,
  version      integer     NOT NULL DEFAULT 1,
  updated_by   integer,
  updated_at   timestamptz NOT NULL DEFAULT now(),
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT application_parameters_pkey PRIMARY KEY (id),
  CONSTRAINT application_parameters_once UNIQUE NULLS NOT DISTINCT (tenant_id, branch, sub_branch, key),
  CONSTRAINT application_parameters_branch_check CHECK (branch ~ '^[a-z0-9_-]{1,48}$'),
  CONSTRAINT application_parameters_key_check CHECK (key ~ '^[a-z0-9_]{1,64}$'),
  CONSTRAINT application_parameters_sub_branch_check CHECK (sub_branch ~ '^[a-z0-9_-]{1,48}$'),
  CONSTRAINT application_parameters_value_check CHECK (octet_length(value::text) <= 65536),
  CONSTRAINT application_parameters_value_schema_check CHECK (length(value_schema) <= 100),
  CONSTRAINT application_parameters_visibility_check CHECK (visibility IN ('public', 'authenticated', 'staff',
    'internal')),
  CONSTRAINT application_parameters_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT application_parameters_tenant_id_updated_by_fkey FOREIGN KEY (tenant_id, updated_by)
    REFERENCES users(tenant_id, id) ON DELETE SET NULL (updated_by)
);
ALTER TABLE application_parameters ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON application_parameters
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY platform_read ON application_parameters FOR SELECT
  USING (tenant_id IS NULL);
CREATE POLICY platform_write ON application_parameters
  USING (tenant_id IS NULL AND CURRENT_USER <> 'dermagate_app'::name);
GRANT SELECT, INSERT, UPDATE, DELETE ON application_parameters TO dermagate_app;

-- parameter_sets --------------------------------------------------------------------------------------------
CREATE TABLE parameter_sets (
  tenant_id  integer NOT NULL,
  branch     text    NOT NULL,
  sub_branch text    NOT NULL,
  version    integer NOT NULL DEFAULT 1,
  CONSTRAINT parameter_sets_pkey PRIMARY KEY (tenant_id, branch, sub_branch),
  CONSTRAINT parameter_sets_branch_check CHECK (branch ~ '^[a-z0-9_-]{1,48}$'),
  CONSTRAINT parameter_sets_sub_branch_check CHECK (sub_branch ~ '^[a-z0-9_-]{1,48}$'),
  CONSTRAINT parameter_sets_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
ALTER TABLE parameter_sets ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON parameter_sets
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON parameter_sets TO dermagate_app;

-- event_logs ------------------------------------------------------------------------------------------------
CREATE SEQUENCE event_logs_id_seq AS bigint;
CREATE TABLE event_logs (
  id            bigint      NOT NULL DEFAULT nextval('event_logs_id_seq'),
  uuid          uuid        NOT NULL,
  tenant_id     integer,
  category      text        NOT NULL,
  action        text        NOT NULL,
  outcome       text        NOT NULL,
  actor_user_id integer,
  actor_kind    text        NOT NULL,
  session_id    uuid,
  subject_kind  text,
  subject_uuid  uuid,
  case_uuid     uuid,
  patient_id    bigint,
  request_id    text,
  ip_prefix     text,
  detail        jsonb       NOT NULL DEFAULT '{}'::jsonb,
  at            timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT event_logs_pkey PRIMARY KEY (category, at, id),
  CONSTRAINT event_logs_action_check CHECK (length(action) <= 64),
  CONSTRAINT event_logs_actor_kind_check CHECK (actor_kind IN ('user', 'system', 'api_key', 'anonymous')),
  CONSTRAINT event_logs_category_check CHECK (category IN ('auth', 'access', 'case', 'ai', 'admin', 'system')),
  CONSTRAINT event_logs_detail_check CHECK (octet_length(detail::text) <= 8192),
  CONSTRAINT event_logs_outcome_check CHECK (outcome IN ('success', 'failure', 'denied')),
  CONSTRAINT event_logs_request_id_check CHECK (length(request_id) <= 64),
  CONSTRAINT event_logs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
) PARTITION BY LIST (category);
ALTER SEQUENCE event_logs_id_seq OWNED BY event_logs.id;
CREATE INDEX event_logs_of_case ON event_logs (tenant_id, case_uuid, at);
CREATE INDEX event_logs_of_actor ON event_logs (tenant_id, actor_user_id, at);
CREATE INDEX event_logs_of_subject ON event_logs (tenant_id, subject_uuid, at);
CREATE INDEX event_logs_of_patient ON event_logs (tenant_id, patient_id, at) WHERE (patient_id IS NOT NULL);
CREATE TABLE event_logs_auth PARTITION OF event_logs FOR VALUES IN ('auth') PARTITION BY RANGE (at);
CREATE TABLE event_logs_auth_default PARTITION OF event_logs_auth DEFAULT;
CREATE TABLE event_logs_ai PARTITION OF event_logs FOR VALUES IN ('ai') PARTITION BY RANGE (at);
CREATE TABLE event_logs_ai_default PARTITION OF event_logs_ai DEFAULT;
CREATE TABLE event_logs_system PARTITION OF event_logs FOR VALUES IN ('system') PARTITION BY RANGE (at);
CREATE TABLE event_logs_system_default PARTITION OF event_logs_system DEFAULT;
CREATE TABLE event_logs_access PARTITION OF event_logs FOR VALUES IN ('access') PARTITION BY RANGE (at);
CREATE TABLE event_logs_access_default PARTITION OF event_logs_access DEFAULT;
CREATE TABLE event_logs_case PARTITION OF event_logs FOR VALUES IN ('case') PARTITION BY RANGE (at);
CREATE TABLE event_logs_case_default PARTITION OF event_logs_case DEFAULT;
CREATE TABLE event_logs_admin PARTITION OF event_logs FOR VALUES IN ('admin') PARTITION BY RANGE (at);
CREATE TABLE event_logs_admin_default PARTITION OF event_logs_admin DEFAULT;
ALTER TABLE event_logs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY read_own_tenant ON event_logs FOR SELECT
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY append ON event_logs FOR INSERT
  WITH CHECK (tenant_id IS NULL OR tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT ON event_logs TO dermagate_app;
GRANT USAGE ON SEQUENCE event_logs_id_seq TO dermagate_app;

-- throttle_counters -----------------------------------------------------------------------------------------
CREATE TABLE throttle_counters (
  key            bytea       NOT NULL,
  attempts       integer     NOT NULL DEFAULT 0,
  in_flight      integer     NOT NULL DEFAULT 0,
  window_ends_at timestamptz NOT NULL,
  CONSTRAINT throttle_counters_pkey PRIMARY KEY (key),
  CONSTRAINT throttle_counters_key_check CHECK (length(key) = 32)
);
CREATE INDEX throttle_counters_to_clean ON throttle_counters (window_ends_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON throttle_counters TO dermagate_app;

-- refusal_windows -------------------------------------------------------------------------------------------
CREATE TABLE refusal_windows (
  key            bytea       NOT NULL,
  category       text        NOT NULL,
  event_id       bigint,
  event_at       timestamptz,
  window_ends_at timestamptz NOT NULL,
  CONSTRAINT refusal_windows_pkey PRIMARY KEY (key),
  CONSTRAINT refusal_windows_key_check CHECK (length(key) = 32)
);
CREATE INDEX refusal_windows_to_clean ON refusal_windows (window_ends_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON refusal_windows TO dermagate_app;

-- idempotency_keys ------------------------------------------------------------------------------------------
CREATE TABLE idempotency_keys (
  tenant_id     integer     NOT NULL,
  user_key      text        NOT NULL,
  route         text        NOT NULL,
  key_hash      bytea       NOT NULL,
  fingerprint   bytea       NOT NULL,
  state         text        NOT NULL,
  status        smallint,
  resource_uuid uuid,
  reply         jsonb,
  started_at    timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (tenant_id, user_key, route, key_hash),
  CONSTRAINT idempotency_keys_fingerprint_check CHECK (length(fingerprint) = 32),
  CONSTRAINT idempotency_keys_key_hash_check CHECK (length(key_hash) = 32),
  CONSTRAINT idempotency_keys_state_check CHECK (state IN ('running', 'done')),
  CONSTRAINT idempotency_keys_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE INDEX idempotency_keys_to_clean ON idempotency_keys (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO dermagate_app;

-- images ----------------------------------------------------------------------------------------------------
CREATE TABLE images (
  uuid                uuid        NOT NULL,
  tenant_id           integer     NOT NULL,
  owner_user_id       integer,
  name                text        NOT NULL,
  state               text        NOT NULL,
  blob_name           text        COLLATE "C" NOT NULL,
  thumbnail_blob_name text        COLLATE "C",
  sha256              bytea       NOT NULL,
  content_type        text        NOT NULL,
  width_px            integer     NOT NULL,
  height_px           integer     NOT NULL,
  orientation         smallint    NOT NULL,
  size_bytes          integer     NOT NULL,
  created_at          timestamptz NOT NULL DEFAULT now(),
  deleted_at          timestamptz,
  CONSTRAINT images_pkey PRIMARY KEY (uuid),
  CONSTRAINT images_blob_name_key UNIQUE (blob_name),
  CONSTRAINT images_name_key UNIQUE (name),
  CONSTRAINT images_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT images_thumbnail_blob_name_key UNIQUE (thumbnail_blob_name),
  CONSTRAINT images_content_type_check CHECK (content_type IN ('image/jpeg', 'image/png')),
  CONSTRAINT images_height_px_check CHECK (height_px > 0),
  CONSTRAINT images_name_check CHECK (length(name) <= 64),
  CONSTRAINT images_orientation_check CHECK (orientation >= 1 AND orientation <= 8),
  CONSTRAINT images_sha256_check CHECK (length(sha256) = 32),
  CONSTRAINT images_size_bytes_check CHECK (size_bytes > 0),
  CONSTRAINT images_state_check CHECK (state IN ('pending', 'stored', 'missing')),
  CONSTRAINT images_width_px_check CHECK (width_px > 0),
  CONSTRAINT images_tenant_id_owner_user_id_fkey FOREIGN KEY (tenant_id, owner_user_id)
    REFERENCES users(tenant_id, id)
);
CREATE UNIQUE INDEX images_stored_once ON images (tenant_id, owner_user_id, sha256)
    WHERE ((state = 'stored') AND (deleted_at IS NULL));
CREATE INDEX images_by_hash ON images (tenant_id, sha256);
CREATE INDEX images_pending ON images (tenant_id, created_at) WHERE (state = 'pending');
CREATE INDEX images_of_owner ON images (tenant_id, owner_user_id);
ALTER TABLE images ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON images
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON images FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON images TO dermagate_app;
GRANT SELECT ON images TO dermagate_lookup;

-- disease_catalog -------------------------------------------------------------------------------------------
CREATE TABLE disease_catalog (
  id              bigint      NOT NULL,
  slug            text        NOT NULL,
  names           jsonb       NOT NULL,
  synonyms        jsonb       NOT NULL DEFAULT '{}'::jsonb,
  icd10           text,
  icd11           text,
  category        text        NOT NULL,
  urgency         text        NOT NULL,
  active          boolean     NOT NULL DEFAULT true,
  version         integer     NOT NULL DEFAULT 1,
  machine_drafted text[]      NOT NULL DEFAULT '{}'::text[],
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT disease_catalog_pkey PRIMARY KEY (id),
  CONSTRAINT disease_catalog_slug_key UNIQUE (slug),
  CONSTRAINT disease_catalog_category_check CHECK (length(category) <= 64),
  CONSTRAINT disease_catalog_icd10_check CHECK (length(icd10) <= 20),
  CONSTRAINT disease_catalog_icd11_check CHECK (length(icd11) <= 20),
  CONSTRAINT disease_catalog_names_check CHECK (octet_length(names::text) <= 8192),
  CONSTRAINT disease_catalog_slug_check CHECK (slug ~ '^[a-z0-9_]{1,100}$'),
  CONSTRAINT disease_catalog_synonyms_check CHECK (octet_length(synonyms::text) <= 16384),
  CONSTRAINT disease_catalog_urgency_check CHECK (urgency IN ('emergency', 'urgent_24h', 'soon_2_weeks',
    'routine', 'self_care'))
);
CREATE INDEX disease_catalog_by_icd10 ON disease_catalog (icd10);
GRANT SELECT ON disease_catalog TO dermagate_app;

-- vendor_disease_catalog ------------------------------------------------------------------------------------
CREATE TABLE vendor_disease_catalog (
  id          bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id   integer     NOT NULL,
  vendor      text        NOT NULL,
  code        text        NOT NULL,
  names       jsonb       NOT NULL,
  icd10       text,
  icd11       text,
  parent_code text,
  disease_id  bigint,
  active      boolean     NOT NULL DEFAULT true,
  version     integer     NOT NULL DEFAULT 1,
  import_uuid uuid,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT vendor_disease_catalog_pkey PRIMARY KEY (id),
  CONSTRAINT vendor_disease_catalog_tenant_id_id_key UNIQUE (tenant_id, id),
  CONSTRAINT vendor_disease_catalog_tenant_id_vendor_code_key UNIQUE (tenant_id, vendor, code),
  CONSTRAINT vendor_disease_catalog_code_check CHECK (length(code) >= 1 AND length(code) <= 64),
  CONSTRAINT vendor_disease_catalog_icd10_check CHECK (length(icd10) <= 20),
  CONSTRAINT vendor_disease_catalog_icd11_check CHECK (length(icd11) <= 20),
  CONSTRAINT vendor_disease_catalog_names_check CHECK (octet_length(names::text) <= 8192),
  CONSTRAINT vendor_disease_catalog_parent_code_check CHECK (length(parent_code) <= 64),
  CONSTRAINT vendor_disease_catalog_vendor_check CHECK (vendor ~ '^[a-z0-9_-]{2,32}$' AND vendor <> 'dermagate'),
  CONSTRAINT vendor_disease_catalog_disease_id_fkey FOREIGN KEY (disease_id) REFERENCES disease_catalog(id),
  CONSTRAINT vendor_disease_catalog_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE INDEX vendor_disease_catalog_of_disease ON vendor_disease_catalog (disease_id);
ALTER TABLE vendor_disease_catalog ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON vendor_disease_catalog
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON vendor_disease_catalog TO dermagate_app;

-- case_batches ----------------------------------------------------------------------------------------------
CREATE TABLE case_batches (
  uuid            uuid        NOT NULL,
  tenant_id       integer     NOT NULL,
  kind            text        NOT NULL,
  account_user_id integer,
  client_batch_id text,
  expected_size   integer     NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT case_batches_pkey PRIMARY KEY (uuid),
  CONSTRAINT case_batches_tenant_id_account_user_id_client_batch_id_key UNIQUE (tenant_id, account_user_id,
    client_batch_id),
  CONSTRAINT case_batches_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT case_batches_check CHECK (expected_size <=
CASE kind
    WHEN 'import' THEN 10000
    ELSE 10
END),
  CONSTRAINT case_batches_client_batch_id_check CHECK (length(client_batch_id) >= 1 AND length(client_batch_id) <= 64),
  CONSTRAINT case_batches_expected_size_check CHECK (expected_size >= 1),
  CONSTRAINT case_batches_kind_check CHECK (kind IN ('patient_session', 'import')),
  CONSTRAINT case_batches_tenant_id_account_user_id_fkey FOREIGN KEY (tenant_id, account_user_id)
    REFERENCES users(tenant_id, id),
  CONSTRAINT case_batches_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
ALTER TABLE case_batches ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON case_batches
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT ON case_batches TO dermagate_app;

-- request_records -------------------------------------------------------------------------------------------
CREATE SEQUENCE request_records_id_seq AS bigint;
CREATE TABLE request_records (
  uuid                   uuid        NOT NULL,
  id                     bigint      NOT NULL DEFAULT nextval('request_records_id_seq'),
  tenant_id              integer     NOT NULL,
  patient_id             bigint      NOT NULL,
  account_user_id        integer,
  created_by_user_id     integer,
  source                 text        NOT NULL,
  client_case_id         text,
  client_case_sha256     bytea,
  batch_uuid             uuid,
  status                 text        NOT NULL,
  pending_status         text,
  status_reason          text,
  status_note            text,
  status_changed_at      timestamptz NOT NULL,
  version                integer     NOT NULL DEFAULT 1,
  language               text        NOT NULL,
  pool                   text        NOT NULL DEFAULT 'general',
  lane_language          text,
  lane_pool              text,
  lane_until             timestamptz,
  anamnesis_revision     integer     NOT NULL DEFAULT 0,
  consent_version        text,
  consented_at           timestamptz,
  analysis_state         text        NOT NULL DEFAULT 'none',
  ml_result_uuid         uuid,
  top_disease            text,
  top_probability        real,
  triage_level           text,
  triage_rank            smallint,
  triage_override_reason text,
  urgency                text,
  red_flags              text[]      NOT NULL DEFAULT '{}'::text[],
  urgent_flags           text[]      NOT NULL DEFAULT '{}'::text[],
  has_red_flags          boolean     NOT NULL DEFAULT false,
  eligibility_outcome    text,
  eligibility_reasons    text[]      NOT NULL DEFAULT '{}'::text[],
  eligibility_checked_at timestamptz,
  assigned_physician_id  integer,
  lease_expires_at       timestamptz,
  lease_count            smallint    NOT NULL DEFAULT 0,
  submitted_at           timestamptz,
  queued_at              timestamptz,
  due_at                 timestamptz,
  held_at                timestamptz,
  remind_at              timestamptz,
  answered_at            timestamptz,
  publish_at             timestamptz,
  closed_at              timestamptz,
  reopened_by_patient_at timestamptz,
  notified_at            timestamptz,
  read_at                timestamptz,
  final_annotation_uuid  uuid,
  disease_id             bigint,
  answer_action          text,
  answered_urgent_flags  text[],
  answered_urgency       text,
  audit_state            text        NOT NULL DEFAULT 'none',
  is_test                boolean     NOT NULL DEFAULT false,
  erased_at              timestamptz,
  created_at             timestamptz NOT NULL DEFAULT now(),
  updated_at             timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT request_records_pkey PRIMARY KEY (uuid),
  CONSTRAINT request_records_id_key UNIQUE (id),
  CONSTRAINT request_records_tenant_id_account_user_id_client_case_id_key UNIQUE (tenant_id, account_user_id,
    client_case_id),
  CONSTRAINT request_records_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT request_records_analysis_state_check CHECK (analysis_state IN ('none', 'pending', 'done',
    'degraded')),
  CONSTRAINT request_records_answer_action_check CHECK (length(answer_action) <= 64),
  CONSTRAINT request_records_answered_urgency_check CHECK (answered_urgency IN ('low', 'medium', 'high',
    'emergency')),
  CONSTRAINT request_records_audit_state_check CHECK (audit_state IN ('none', 'pending', 'done')),
  CONSTRAINT request_records_check CHECK ((client_case_id IS NULL) = (client_case_sha256 IS NULL)),
  CONSTRAINT request_records_check1 CHECK ((consent_version IS NULL) = (consented_at IS NULL)),
  CONSTRAINT request_records_check2 CHECK ((status = 'on_hold') = (pending_status IS NOT NULL)),
  CONSTRAINT request_records_check3 CHECK (status <> 'in_review' OR assigned_physician_id IS NOT NULL AND lease_expires_at IS NOT NULL),
  CONSTRAINT request_records_check4 CHECK (status <> 'queued' OR lane_pool IS NOT NULL AND lane_language IS NOT NULL AND triage_rank IS NOT NULL AND due_at IS NOT NULL),
  CONSTRAINT request_records_check5 CHECK (NOT (urgency = 'emergency' AND (status IN ('ineligible',
    'expired')))),
  CONSTRAINT request_records_client_case_id_check CHECK (length(client_case_id) >= 1 AND length(client_case_id) <= 64),
  CONSTRAINT request_records_client_case_sha256_check CHECK (length(client_case_sha256) = 32),
  CONSTRAINT request_records_consent_version_check CHECK (length(consent_version) <= 64),
  CONSTRAINT request_records_eligibility_outcome_check CHECK (eligibility_outcome IN ('eligible',
    'needs_patient', 'ineligible', 'undetermined')),
  CONSTRAINT request_records_language_check CHECK (language IN ('en', 'he', 'ar', 'es')),
  CONSTRAINT request_records_pending_status_check CHECK (pending_status IN ('awaiting_patient',
    'awaiting_second_opinion', 'awaiting_result', 'technical')),
  CONSTRAINT request_records_source_check CHECK (source IN ('mobile', 'portal', 'backoffice', 'api',
    'import')),
  CONSTRAINT request_records_status_check CHECK (status IN ('draft', 'submitted', 'queued', 'in_review',
    'on_hold', 'answered', 'closed', 'ineligible', 'cancelled', 'expired')),
  CONSTRAINT request_records_status_note_check CHECK (length(status_note) <= 2000),
  CONSTRAINT request_records_status_reason_check CHECK (length(status_reason) <= 64),
  CONSTRAINT request_records_triage_level_check CHECK (triage_level IN ('emergency', 'urgent_24h',
    'soon_2_weeks', 'routine', 'self_care')),
  CONSTRAINT request_records_triage_override_reason_check CHECK (length(triage_override_reason) <= 500),
  CONSTRAINT request_records_triage_rank_check CHECK (triage_rank >= 0 AND triage_rank <= 2),
  CONSTRAINT request_records_urgency_check CHECK (urgency IN ('low', 'medium', 'high', 'emergency')),
  CONSTRAINT request_records_disease_id_fkey FOREIGN KEY (disease_id) REFERENCES disease_catalog(id),
  CONSTRAINT request_records_tenant_id_account_user_id_fkey FOREIGN KEY (tenant_id, account_user_id)
    REFERENCES users(tenant_id, id),
  CONSTRAINT request_records_tenant_id_assigned_physician_id_fkey FOREIGN KEY (tenant_id,
    assigned_physician_id)
    REFERENCES physicians(tenant_id, id),
  CONSTRAINT request_records_tenant_id_batch_uuid_fkey FOREIGN KEY (tenant_id, batch_uuid)
    REFERENCES case_batches(tenant_id, uuid),
  CONSTRAINT request_records_tenant_id_created_by_user_id_fkey FOREIGN KEY (tenant_id, created_by_user_id)
    REFERENCES users(tenant_id, id),
  CONSTRAINT request_records_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT request_records_tenant_id_patient_id_fkey FOREIGN KEY (tenant_id, patient_id)
    REFERENCES patients(tenant_id, id)
);
ALTER SEQUENCE request_records_id_seq OWNED BY request_records.id;
CREATE INDEX request_records_lanes_to_open ON request_records (tenant_id, lane_until)
    WHERE ((status = 'queued') AND (lane_until IS NOT NULL));
CREATE INDEX request_records_pools_to_open ON request_records (tenant_id, triage_rank, queued_at)
    WHERE ((status = 'queued') AND (lane_until IS NULL) AND (lane_pool <> 'general'));
CREATE INDEX request_records_languages_to_open ON request_records (tenant_id, triage_rank, queued_at)
    WHERE ((status = 'queued') AND (lane_language <> 'any'));
CREATE INDEX request_records_leases ON request_records (tenant_id, lease_expires_at)
    WHERE (status = 'in_review');
CREATE INDEX request_records_to_publish ON request_records (tenant_id, publish_at) WHERE (status = 'answered');
CREATE INDEX request_records_to_analyse ON request_records (tenant_id, submitted_at)
    WHERE (status = 'submitted');
CREATE INDEX request_records_to_judge ON request_records (tenant_id, COALESCE(eligibility_checked_at,
    updated_at))
    WHERE ((status = 'submitted') AND (analysis_state IN ('done', 'degraded')));
CREATE INDEX request_records_emergencies ON request_records (tenant_id, submitted_at)
    WHERE ((triage_rank = 0) AND (status IN ('submitted', 'queued')));
CREATE INDEX request_records_held ON request_records (tenant_id, held_at) WHERE (status = 'on_hold');
CREATE INDEX request_records_replied ON request_records (tenant_id, updated_at)
    WHERE ((status = 'on_hold') AND (COALESCE(eligibility_outcome, 'undetermined') = 'undetermined'));
CREATE INDEX request_records_to_remind ON request_records (tenant_id, remind_at)
    WHERE ((status = 'on_hold') AND (remind_at IS NOT NULL));
CREATE INDEX request_records_drafts ON request_records (tenant_id, updated_at) WHERE (status = 'draft');
CREATE INDEX request_records_never_submitted ON request_records (tenant_id, updated_at)
    WHERE ((submitted_at IS NULL) AND (status IN ('expired', 'cancelled')));
CREATE INDEX request_records_to_audit ON request_records (tenant_id, answered_at)
    WHERE (audit_state = 'pending');
CREATE INDEX request_records_offered ON request_records (tenant_id, lane_pool, lane_language, triage_rank,
    due_at, id) INCLUDE (uuid, account_user_id, language)
    WHERE (status = 'queued');
CREATE INDEX request_records_queue_by_creation ON request_records (tenant_id, lane_pool, lane_language,
    created_at, id)
    WHERE (status = 'queued');
CREATE INDEX request_records_queue_by_update ON request_records (tenant_id, lane_pool, lane_language,
    updated_at, id)
    WHERE (status = 'queued');
CREATE INDEX request_records_queue_by_submission ON request_records (tenant_id, lane_pool, lane_language,
    submitted_at, id)
    WHERE (status = 'queued');
CREATE INDEX request_records_of_physician ON request_records (tenant_id, assigned_physician_id, status,
    due_at, id);
CREATE INDEX request_records_of_physician_by_creation ON request_records (tenant_id, assigned_physician_id,
    status, created_at, id);
CREATE INDEX request_records_of_physician_by_update ON request_records (tenant_id, assigned_physician_id,
    status, updated_at, id);
CREATE INDEX request_records_of_physician_by_submission ON request_records (tenant_id, assigned_physician_id,
    status, submitted_at, id);
CREATE INDEX request_records_by_creation ON request_records (tenant_id, created_at, id);
CREATE INDEX request_records_by_update ON request_records (tenant_id, updated_at, id);
CREATE INDEX request_records_by_submission ON request_records (tenant_id, submitted_at, id);
CREATE INDEX request_records_by_due_time_alone ON request_records (tenant_id, due_at, id);
CREATE INDEX request_records_by_status ON request_records (tenant_id, status, created_at, id);
CREATE INDEX request_records_by_status_and_update ON request_records (tenant_id, status, updated_at, id);
CREATE INDEX request_records_by_status_and_submission ON request_records (tenant_id, status, submitted_at, id);
CREATE INDEX request_records_by_due_time ON request_records (tenant_id, status, due_at, id);
CREATE INDEX request_records_by_answer ON request_records (tenant_id, answered_at)
    WHERE (answered_at IS NOT NULL);
CREATE INDEX request_records_of_patient ON request_records (tenant_id, patient_id, created_at, id);
CREATE INDEX request_records_of_account ON request_records (tenant_id, account_user_id, created_at, id);
CREATE INDEX request_records_by_staff ON request_records (tenant_id, created_by_user_id, created_at, id)
    WHERE (created_by_user_id IS NOT NULL);
CREATE INDEX request_records_of_batch ON request_records (tenant_id, batch_uuid)
    WHERE (batch_uuid IS NOT NULL);
CREATE INDEX request_records_of_disease ON request_records (tenant_id, disease_id, created_at, id)
    WHERE (disease_id IS NOT NULL);
CREATE INDEX request_records_of_ml_result ON request_records (tenant_id, ml_result_uuid)
    WHERE (ml_result_uuid IS NOT NULL);
CREATE INDEX request_records_of_annotation ON request_records (tenant_id, final_annotation_uuid)
    WHERE (final_annotation_uuid IS NOT NULL);
ALTER TABLE request_records ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON request_records
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON request_records TO dermagate_app;
GRANT USAGE ON SEQUENCE request_records_id_seq TO dermagate_app;

-- request_anamneses -----------------------------------------------------------------------------------------
CREATE TABLE request_anamneses (
  case_uuid         uuid        NOT NULL,
  revision          integer     NOT NULL,
  tenant_id         integer     NOT NULL,
  anamnesis         jsonb       NOT NULL,
  sha256            bytea       NOT NULL,
  schema_version    text        NOT NULL,
  author_user_id    integer,
  author_kind       text        NOT NULL,
  correction_reason text,
  created_at        timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT request_anamneses_pkey PRIMARY KEY (case_uuid, revision),
  CONSTRAINT request_anamneses_anamnesis_check CHECK (octet_length(anamnesis::text) <= 98304),
  CONSTRAINT request_anamneses_author_kind_check CHECK (author_kind IN ('patient', 'staff', 'import')),
  CONSTRAINT request_anamneses_correction_reason_check CHECK (length(correction_reason) <= 500),
  CONSTRAINT request_anamneses_revision_check CHECK (revision >= 1),
  CONSTRAINT request_anamneses_sha256_check CHECK (length(sha256) = 32),
  CONSTRAINT request_anamneses_tenant_id_author_user_id_fkey FOREIGN KEY (tenant_id, author_user_id)
    REFERENCES users(tenant_id, id),
  CONSTRAINT request_anamneses_tenant_id_case_uuid_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid)
);
CREATE INDEX request_anamneses_of_author ON request_anamneses (tenant_id, author_user_id);
ALTER TABLE request_anamneses ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON request_anamneses
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT ON request_anamneses TO dermagate_app;

-- case_images -----------------------------------------------------------------------------------------------
CREATE TABLE case_images (
  case_uuid      uuid        NOT NULL,
  image_uuid     uuid        NOT NULL,
  tenant_id      integer     NOT NULL,
  position       smallint    NOT NULL,
  kind           text,
  location_index smallint,
  quality        jsonb,
  added_at       timestamptz NOT NULL,
  removed_at     timestamptz,
  CONSTRAINT case_images_pkey PRIMARY KEY (case_uuid, image_uuid),
  CONSTRAINT case_images_kind_check CHECK (kind IN ('close_up', 'at_an_angle', 'at_distance', 'dermoscopic',
    'with_scale', 'previous_photo', 'other')),
  CONSTRAINT case_images_location_index_check CHECK (location_index >= 0),
  CONSTRAINT case_images_position_check CHECK ("position" >= 0),
  CONSTRAINT case_images_tenant_id_case_uuid_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid),
  CONSTRAINT case_images_tenant_id_image_uuid_fkey FOREIGN KEY (tenant_id, image_uuid)
    REFERENCES images(tenant_id, uuid)
);
CREATE INDEX case_images_of_image ON case_images (tenant_id, image_uuid);
ALTER TABLE case_images ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON case_images
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON case_images TO dermagate_app;

-- case_messages ---------------------------------------------------------------------------------------------
CREATE TABLE case_messages (
  uuid           uuid        NOT NULL,
  tenant_id      integer     NOT NULL,
  case_uuid      uuid        NOT NULL,
  direction      text        NOT NULL,
  codes          text[]      NOT NULL DEFAULT '{}'::text[],
  text           text,
  language       text        NOT NULL,
  author_user_id integer,
  created_at     timestamptz NOT NULL DEFAULT now(),
  read_at        timestamptz,
  CONSTRAINT case_messages_pkey PRIMARY KEY (uuid),
  CONSTRAINT case_messages_check CHECK (text IS NOT NULL OR cardinality(codes) > 0),
  CONSTRAINT case_messages_direction_check CHECK (direction IN ('to_patient', 'from_patient')),
  CONSTRAINT case_messages_language_check CHECK (language IN ('en', 'he', 'ar', 'es')),
  CONSTRAINT case_messages_text_check CHECK (length(text) >= 1 AND length(text) <= 2000),
  CONSTRAINT case_messages_tenant_id_author_user_id_fkey FOREIGN KEY (tenant_id, author_user_id)
    REFERENCES users(tenant_id, id),
  CONSTRAINT case_messages_tenant_id_case_uuid_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid)
);
CREATE INDEX case_messages_of_case ON case_messages (tenant_id, case_uuid, created_at);
CREATE INDEX case_messages_of_author ON case_messages (tenant_id, author_user_id);
ALTER TABLE case_messages ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON case_messages
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON case_messages TO dermagate_app;

-- case_skips ------------------------------------------------------------------------------------------------
CREATE TABLE case_skips (
  physician_id integer     NOT NULL,
  case_uuid    uuid        NOT NULL,
  tenant_id    integer     NOT NULL,
  reason       text        NOT NULL,
  until        timestamptz NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT case_skips_pkey PRIMARY KEY (physician_id, case_uuid),
  CONSTRAINT case_skips_reason_check CHECK (length(reason) <= 64),
  CONSTRAINT case_skips_tenant_id_case_uuid_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid),
  CONSTRAINT case_skips_tenant_id_physician_id_fkey FOREIGN KEY (tenant_id, physician_id)
    REFERENCES physicians(tenant_id, id)
);
CREATE INDEX case_skips_to_clean ON case_skips (tenant_id, until);
CREATE INDEX case_skips_of_case ON case_skips (tenant_id, case_uuid);
ALTER TABLE case_skips ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON case_skips
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE, DELETE ON case_skips TO dermagate_app;

-- ml_diagnosis_results --------------------------------------------------------------------------------------
CREATE TABLE ml_diagnosis_results (
  uuid               uuid        NOT NULL,
  id                 bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id          integer     NOT NULL,
  case_uuid          uuid,
  user_id            integer,
  kind               text        NOT NULL,
  input_sha256       bytea       NOT NULL,
  anamnesis_revision integer,
  anamnesis          jsonb,
  answer             jsonb,
  outcome            text        NOT NULL,
  safety_net         jsonb,
  model_version      text,
  latency_ms         integer     NOT NULL,
  language           text        NOT NULL,
  request_id         text        NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ml_diagnosis_results_pkey PRIMARY KEY (uuid),
  CONSTRAINT ml_diagnosis_results_id_key UNIQUE (id),
  CONSTRAINT ml_diagnosis_results_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT ml_diagnosis_results_input_sha256_check CHECK (length(input_sha256) = 32),
  CONSTRAINT ml_diagnosis_results_kind_check CHECK (kind IN ('diagnosis', 'predict_diagnosis', 'red_flags',
    'image_validity', 'triage', 'next_question')),
  CONSTRAINT ml_diagnosis_results_outcome_check CHECK (outcome IN ('ok', 'unavailable', 'timeout',
    'invalid_reply')),
  CONSTRAINT ml_diagnosis_results_request_id_check CHECK (length(request_id) <= 64),
  CONSTRAINT ml_diagnosis_results_case_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid),
  CONSTRAINT ml_diagnosis_results_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT ml_diagnosis_results_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX ml_results_of_case ON ml_diagnosis_results (tenant_id, case_uuid, created_at);
CREATE INDEX ml_results_by_time ON ml_diagnosis_results (tenant_id, created_at);
CREATE INDEX ml_results_by_input ON ml_diagnosis_results (tenant_id, input_sha256);
CREATE INDEX ml_results_with_anamnesis ON ml_diagnosis_results (tenant_id, created_at)
    WHERE ((case_uuid IS NULL) AND (anamnesis IS NOT NULL));
CREATE INDEX ml_results_of_user ON ml_diagnosis_results (tenant_id, user_id) WHERE (user_id IS NOT NULL);
ALTER TABLE request_records ADD CONSTRAINT request_records_tenant_id_ml_result_uuid_fkey FOREIGN KEY (tenant_id,
    ml_result_uuid)
    REFERENCES ml_diagnosis_results(tenant_id, uuid);
ALTER TABLE ml_diagnosis_results ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON ml_diagnosis_results
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT ON ml_diagnosis_results TO dermagate_app;

-- user_check_logs -------------------------------------------------------------------------------------------
CREATE TABLE user_check_logs (
  id           bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id    integer     NOT NULL,
  user_id      integer,
  patient_id   bigint,
  case_uuid    uuid,
  check_kind   text        NOT NULL,
  outcome      text        NOT NULL,
  reasons      text[]      NOT NULL DEFAULT '{}'::text[],
  rule_version text,
  source       text,
  latency_ms   integer,
  request_id   text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT user_check_logs_pkey PRIMARY KEY (id),
  CONSTRAINT user_check_logs_check_kind_check CHECK (check_kind IN ('eligibility', 'membership',
    'registration', 'connectivity', 'token')),
  CONSTRAINT user_check_logs_latency_ms_check CHECK (latency_ms >= 0),
  CONSTRAINT user_check_logs_outcome_check CHECK (outcome ~ '^[a-z0-9_]{1,48}$'),
  CONSTRAINT user_check_logs_request_id_check CHECK (length(request_id) <= 64),
  CONSTRAINT user_check_logs_rule_version_check CHECK (length(rule_version) <= 64),
  CONSTRAINT user_check_logs_source_check CHECK (length(source) <= 64),
  CONSTRAINT user_check_logs_case_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid),
  CONSTRAINT user_check_logs_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT user_check_logs_tenant_id_patient_id_fkey FOREIGN KEY (tenant_id, patient_id)
    REFERENCES patients(tenant_id, id),
  CONSTRAINT user_check_logs_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id) ON DELETE SET NULL (user_id)
);
CREATE INDEX user_check_logs_of_case ON user_check_logs (tenant_id, case_uuid) WHERE (case_uuid IS NOT NULL);
CREATE INDEX user_check_logs_of_patient ON user_check_logs (tenant_id, patient_id, created_at);
CREATE INDEX user_check_logs_to_clean ON user_check_logs (tenant_id, created_at);
CREATE INDEX user_check_logs_of_user ON user_check_logs (tenant_id, user_id) WHERE (user_id IS NOT NULL);
ALTER TABLE user_check_logs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_check_logs
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT ON user_check_logs TO dermagate_app;

-- report_templates ------------------------------------------------------------------------------------------
CREATE TABLE report_templates (
  uuid         uuid        NOT NULL,
  id           bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id    integer     NOT NULL,
  kind         text        NOT NULL,
  scope        text        NOT NULL,
  physician_id integer,
  disease_id   bigint,
  name         text        NOT NULL,
  bodies       jsonb       NOT NULL,
  placeholders text[]      NOT NULL DEFAULT '{}'::text[],
  version      integer     NOT NULL DEFAULT 1,
  is_default   boolean     NOT NULL DEFAULT false,
  created_at   timestamptz NOT NULL DEFAULT now(),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  deleted_at   timestamptz,
  CONSTRAINT report_templates_pkey PRIMARY KEY (uuid),
  CONSTRAINT report_templates_id_key UNIQUE (id),
  CONSTRAINT report_templates_tenant_id_id_key UNIQUE (tenant_id, id),
  CONSTRAINT report_templates_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT report_templates_bodies_check CHECK (octet_length(bodies::text) <= 400000),
  CONSTRAINT report_templates_check CHECK ((scope = 'physician') = (physician_id IS NOT NULL)),
  CONSTRAINT report_templates_kind_check CHECK (kind IN ('diagnosis_text', 'case_pdf', 'patient_mail',
    'message')),
  CONSTRAINT report_templates_name_check CHECK (length(name) >= 1 AND length(name) <= 120),
  CONSTRAINT report_templates_scope_check CHECK (scope IN ('tenant', 'physician')),
  CONSTRAINT report_templates_disease_id_fkey FOREIGN KEY (disease_id) REFERENCES disease_catalog(id),
  CONSTRAINT report_templates_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id),
  CONSTRAINT report_templates_tenant_id_physician_id_fkey FOREIGN KEY (tenant_id, physician_id)
    REFERENCES physicians(tenant_id, id)
);
CREATE UNIQUE INDEX report_templates_by_name ON report_templates (tenant_id, kind, scope, physician_id,
    name) NULLS NOT DISTINCT
    WHERE (deleted_at IS NULL);
CREATE INDEX report_templates_of_disease ON report_templates (tenant_id, disease_id);
CREATE INDEX report_templates_of_physician ON report_templates (tenant_id, physician_id);
ALTER TABLE report_templates ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON report_templates
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON report_templates TO dermagate_app;

-- dermatologist_annotations ---------------------------------------------------------------------------------
CREATE TABLE dermatologist_annotations (
  uuid                  uuid        NOT NULL,
  id                    bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id             integer     NOT NULL,
  case_uuid             uuid        NOT NULL,
  physician_id          integer,
  status                text        NOT NULL,
  version               integer     NOT NULL DEFAULT 1,
  amends_uuid           uuid,
  amend_reason          text,
  language              text        NOT NULL,
  diagnoses             jsonb       NOT NULL DEFAULT '[]'::jsonb,
  primary_disease_id    bigint,
  primary_code          text,
  severity              text,
  recommended_action    text,
  recommendation_text   text,
  treatments            jsonb       NOT NULL DEFAULT '[]'::jsonb,
  follow_up             jsonb,
  referral              jsonb,
  patient_message       text,
  internal_note         text,
  image_quality_ok      boolean,
  ai_agreement          text,
  acknowledged_flags    text[]      NOT NULL DEFAULT '{}'::text[],
  contradiction_reasons jsonb       NOT NULL DEFAULT '[]'::jsonb,
  urgency_explanation   text,
  template_id           bigint,
  rendered_text         text,
  seconds_spent         integer,
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  signed_at             timestamptz,
  published_at          timestamptz,
  cancelled_at          timestamptz,
  cancel_reason         text,
  CONSTRAINT dermatologist_annotations_pkey PRIMARY KEY (uuid),
  CONSTRAINT dermatologist_annotations_primary_code_check CHECK (length(primary_code) <= 64),
  CONSTRAINT dermatologist_annotations_primary_disease_id_fkey FOREIGN KEY (primary_disease_id)
    REFERENCES disease_catalog(id),
  CONSTRAINT dermatologist_annotations_id_key UNIQUE (id),
  CONSTRAINT dermatologist_annotations_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT dermatologist_annotations_ai_agreement_check CHECK (ai_agreement IN ('agree', 'partial',
    'disagree', 'not_considered')),
  CONSTRAINT dermatologist_annotations_amend_reason_check CHECK (length(amend_reason) <= 500),
  CONSTRAINT dermatologist_annotations_cancel_reason_check CHECK (length(cancel_reason) <= 500),
  CONSTRAINT dermatologist_annotations_check CHECK (status <> 'draft' OR physician_id IS NOT NULL),
  CONSTRAINT dermatologist_annotations_check1 CHECK ((status <> ALL (ARRAY['final',
    'amended'])) OR signed_at IS NOT NULL AND recommended_action IS NOT NULL AND rendered_text IS NOT NULL AND jsonb_array_length(diagnoses) > 0),
  CONSTRAINT dermatologist_annotations_check2 CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CONSTRAINT dermatologist_annotations_contradiction_reasons_check CHECK (octet_length(contradiction_reasons::text) <= 16384),
  CONSTRAINT dermatologist_annotations_diagnoses_check CHECK (octet_length(diagnoses::text) <= 16384),
  CONSTRAINT dermatologist_annotations_follow_up_check CHECK (octet_length(follow_up::text) <= 4096),
  CONSTRAINT dermatologist_annotations_internal_note_check CHECK (length(internal_note) <= 4000),
  CONSTRAINT dermatologist_annotations_language_check CHECK (language IN ('en', 'he', 'ar', 'es')),
  CONSTRAINT dermatologist_annotations_patient_message_check CHECK (length(patient_message) <= 4000),
  CONSTRAINT dermatologist_annotations_recommendation_text_check CHECK (length(recommendation_text) <= 4000),
  CONSTRAINT dermatologist_annotations_recommended_action_check CHECK (length(recommended_action) <= 64),
  CONSTRAINT dermatologist_annotations_referral_check CHECK (octet_length(referral::text) <= 16384),
  CONSTRAINT dermatologist_annotations_rendered_text_check CHECK (length(rendered_text) <= 40000),
  CONSTRAINT dermatologist_annotations_seconds_spent_check CHECK (seconds_spent >= 0),
  CONSTRAINT dermatologist_annotations_severity_check CHECK (severity IN ('none', 'mild', 'moderate',
    'severe')),
  CONSTRAINT dermatologist_annotations_status_check CHECK (status IN ('draft', 'final', 'amended',
    'cancelled')),
  CONSTRAINT dermatologist_annotations_treatments_check CHECK (octet_length(treatments::text) <= 65536),
  CONSTRAINT dermatologist_annotations_urgency_explanation_check CHECK (length(urgency_explanation) <= 500),
  CONSTRAINT dermatologist_annotations_tenant_id_amends_uuid_fkey FOREIGN KEY (tenant_id, amends_uuid)
    REFERENCES dermatologist_annotations(tenant_id, uuid),
  CONSTRAINT dermatologist_annotations_tenant_id_case_uuid_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid),
  CONSTRAINT dermatologist_annotations_tenant_id_physician_id_fkey FOREIGN KEY (tenant_id, physician_id)
    REFERENCES physicians(tenant_id, id),
  CONSTRAINT dermatologist_annotations_tenant_id_template_id_fkey FOREIGN KEY (tenant_id, template_id)
    REFERENCES report_templates(tenant_id, id)
);
CREATE INDEX dermatologist_annotations_of_case ON dermatologist_annotations (tenant_id, case_uuid, created_at);
CREATE INDEX dermatologist_annotations_of_physician ON dermatologist_annotations (tenant_id, physician_id,
    signed_at);
CREATE INDEX dermatologist_annotations_amending ON dermatologist_annotations (tenant_id, amends_uuid)
    WHERE (amends_uuid IS NOT NULL);
CREATE INDEX dermatologist_annotations_of_template ON dermatologist_annotations (tenant_id, template_id)
    WHERE (template_id IS NOT NULL);
CREATE INDEX dermatologist_annotations_of_disease ON dermatologist_annotations (primary_disease_id)
    WHERE (primary_disease_id IS NOT NULL);
CREATE UNIQUE INDEX dermatologist_annotations_one_draft ON dermatologist_annotations (case_uuid, physician_id)
    WHERE (status = 'draft');
CREATE UNIQUE INDEX dermatologist_annotations_one_final ON dermatologist_annotations (case_uuid)
    WHERE (status = 'final');
CREATE INDEX dermatologist_annotations_unsigned ON dermatologist_annotations (tenant_id, updated_at)
    WHERE (signed_at IS NULL);
ALTER TABLE request_records ADD CONSTRAINT request_records_tenant_id_final_annotation_uuid_fkey FOREIGN KEY (tenant_id,
    final_annotation_uuid)
    REFERENCES dermatologist_annotations(tenant_id, uuid);
ALTER TABLE dermatologist_annotations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON dermatologist_annotations
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE, DELETE ON dermatologist_annotations TO dermagate_app;

-- audit_annotations -----------------------------------------------------------------------------------------
CREATE TABLE audit_annotations (
  uuid                uuid        NOT NULL,
  tenant_id           integer     NOT NULL,
  case_uuid           uuid        NOT NULL,
  annotation_uuid     uuid        NOT NULL,
  auditor_id          integer,
  status              text        NOT NULL,
  version             integer     NOT NULL DEFAULT 1,
  agreement           text,
  own_diagnosis       jsonb,
  scores              jsonb,
  safety_issue        boolean     NOT NULL DEFAULT false,
  requires_correction boolean     NOT NULL DEFAULT false,
  comment             text,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  signed_at           timestamptz,
  cancelled_at        timestamptz,
  cancel_reason       text,
  CONSTRAINT audit_annotations_pkey PRIMARY KEY (uuid),
  CONSTRAINT audit_annotations_tenant_id_uuid_key UNIQUE (tenant_id, uuid),
  CONSTRAINT audit_annotations_agreement_check CHECK (agreement IN ('agree', 'minor', 'major')),
  CONSTRAINT audit_annotations_cancel_reason_check CHECK (length(cancel_reason) <= 500),
  CONSTRAINT audit_annotations_check CHECK (status <> 'draft' OR auditor_id IS NOT NULL),
  CONSTRAINT audit_annotations_check1 CHECK (status <> 'final' OR signed_at IS NOT NULL AND agreement IS NOT NULL),
  CONSTRAINT audit_annotations_check2 CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CONSTRAINT audit_annotations_comment_check CHECK (length(comment) <= 4000),
  CONSTRAINT audit_annotations_own_diagnosis_check CHECK (octet_length(own_diagnosis::text) <= 16384),
  CONSTRAINT audit_annotations_scores_check CHECK (octet_length(scores::text) <= 1024),
  CONSTRAINT audit_annotations_status_check CHECK (status IN ('draft', 'final', 'cancelled')),
  CONSTRAINT audit_annotations_tenant_id_annotation_uuid_fkey FOREIGN KEY (tenant_id, annotation_uuid)
    REFERENCES dermatologist_annotations(tenant_id, uuid),
  CONSTRAINT audit_annotations_tenant_id_auditor_id_fkey FOREIGN KEY (tenant_id, auditor_id)
    REFERENCES physicians(tenant_id, id),
  CONSTRAINT audit_annotations_tenant_id_case_uuid_fkey FOREIGN KEY (tenant_id, case_uuid)
    REFERENCES request_records(tenant_id, uuid)
);
CREATE UNIQUE INDEX audit_annotations_one_each ON audit_annotations (annotation_uuid, auditor_id)
    WHERE (status <> 'cancelled');
CREATE INDEX audit_annotations_of_case ON audit_annotations (tenant_id, case_uuid);
CREATE INDEX audit_annotations_of_annotation ON audit_annotations (tenant_id, annotation_uuid);
CREATE INDEX audit_annotations_of_auditor ON audit_annotations (tenant_id, auditor_id, created_at);
ALTER TABLE audit_annotations ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_annotations
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE, DELETE ON audit_annotations TO dermagate_app;

-- outbox_messages -------------------------------------------------------------------------------------------
CREATE TABLE outbox_messages (
  id              bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id       integer,
  consumer        text        NOT NULL,
  topic           text        NOT NULL,
  dedupe_key      text,
  payload         jsonb       NOT NULL,
  available_at    timestamptz NOT NULL DEFAULT now(),
  attempts        integer     NOT NULL DEFAULT 0,
  locked_until    timestamptz,
  last_error_code text,
  dead_at         timestamptz,
  created_at      timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT outbox_messages_pkey PRIMARY KEY (id),
  CONSTRAINT outbox_messages_dedupe_key_key UNIQUE (dedupe_key),
  CONSTRAINT outbox_messages_consumer_check CHECK (consumer IN ('mail', 'push', 'analytics', 'live',
    'analysis', 'import', 'erasure')),
  CONSTRAINT outbox_messages_dedupe_key_check CHECK (length(dedupe_key) <= 200),
  CONSTRAINT outbox_messages_last_error_code_check CHECK (length(last_error_code) <= 64),
  CONSTRAINT outbox_messages_payload_check CHECK (octet_length(payload::text) <= 65536),
  CONSTRAINT outbox_messages_topic_check CHECK (topic ~ '^[a-z][a-z0-9_.]{0,63}$'),
  CONSTRAINT outbox_messages_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
CREATE INDEX outbox_messages_due ON outbox_messages (consumer, available_at) WHERE (dead_at IS NULL);
CREATE INDEX outbox_messages_claimed ON outbox_messages (consumer, locked_until)
    WHERE ((dead_at IS NULL) AND (locked_until IS NOT NULL));
CREATE INDEX outbox_messages_dead ON outbox_messages (dead_at) WHERE (dead_at IS NOT NULL);
GRANT SELECT, INSERT, UPDATE, DELETE ON outbox_messages TO dermagate_app;

-- user_notices ----------------------------------------------------------------------------------------------
CREATE TABLE user_notices (
  id         bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  tenant_id  integer     NOT NULL,
  user_id    integer     NOT NULL,
  kind       text        NOT NULL,
  payload    jsonb       NOT NULL,
  once_key   text,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT user_notices_pkey PRIMARY KEY (id),
  CONSTRAINT user_notices_once UNIQUE (tenant_id, user_id, once_key),
  CONSTRAINT user_notices_kind_check CHECK (kind ~ '^[a-z]+[.][a-z_]+$'),
  CONSTRAINT user_notices_once_key_check CHECK (length(once_key) <= 128),
  CONSTRAINT user_notices_payload_check CHECK (octet_length(payload::text) <= 1024),
  CONSTRAINT user_notices_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id)
    REFERENCES users(tenant_id, id)
);
CREATE INDEX user_notices_of_user ON user_notices (tenant_id, user_id, id);
CREATE INDEX user_notices_to_clean ON user_notices (tenant_id, expires_at);
ALTER TABLE user_notices ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON user_notices
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
CREATE POLICY lookup ON user_notices FOR SELECT TO dermagate_lookup
  USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON user_notices TO dermagate_app;
GRANT SELECT ON user_notices TO dermagate_lookup;

-- analytics_feeds -------------------------------------------------------------------------------------------
CREATE TABLE analytics_feeds (
  tenant_id        integer     NOT NULL,
  subscribed_until timestamptz NOT NULL,
  published_at     timestamptz,
  seq              bigint      NOT NULL DEFAULT 0,
  fingerprint      bytea,
  CONSTRAINT analytics_feeds_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT analytics_feeds_fingerprint_check CHECK (length(fingerprint) = 32),
  CONSTRAINT analytics_feeds_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id)
);
ALTER TABLE analytics_feeds ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON analytics_feeds
  USING (tenant_id = NULLIF(current_setting('app.tenant', true), '')::integer);
GRANT SELECT, INSERT, UPDATE ON analytics_feeds TO dermagate_app;

-- timers ----------------------------------------------------------------------------------------------------
CREATE TABLE timers (
  name         text        NOT NULL,
  done_until   timestamptz NOT NULL,
  started_at   timestamptz,
  ended_at     timestamptz,
  outcome      text,
  error        text,
  leased_until timestamptz,
  CONSTRAINT timers_pkey PRIMARY KEY (name),
  CONSTRAINT timers_outcome_check CHECK (outcome IN ('done', 'failed', 'timed_out'))
);
GRANT SELECT, INSERT, UPDATE ON timers TO dermagate_app;

-- kysely_migration ------------------------------------------------------------------------------------------
CREATE TABLE kysely_migration (
  name      varchar(255) NOT NULL,
  timestamp varchar(255) NOT NULL,
  CONSTRAINT kysely_migration_pkey PRIMARY KEY (name)
);

-- kysely_migration_lock -------------------------------------------------------------------------------------
CREATE TABLE kysely_migration_lock (
  id        varchar(255) NOT NULL,
  is_locked integer      NOT NULL DEFAULT 0,
  CONSTRAINT kysely_migration_lock_pkey PRIMARY KEY (id)
);

-- applied_migrations ----------------------------------------------------------------------------------------
CREATE TABLE applied_migrations (
  name   text NOT NULL,
  sha256 text NOT NULL,
  CONSTRAINT applied_migrations_pkey PRIMARY KEY (name)
);

-- applied_functions -----------------------------------------------------------------------------------------
CREATE TABLE applied_functions (
  name   text NOT NULL,
  sha256 text NOT NULL,
  CONSTRAINT applied_functions_pkey PRIMARY KEY (name)
);

-- functions -------------------------------------------------------------------------------------------------

-- Definitions: functions/<name>.sql. Without a note a function has its caller's rights.

-- add_notices(p_user integer, p_notices jsonb, p_now timestamptz) RETURNS void
--   Notices for the event streams of one user (`p_notices`: kind, payload, and `once`, by which a second one is
--   dropped), in the transaction that causes them; none for a patient, who has no stream. They last for a day:
--   a client that has been away for longer reads its lists anew.

-- admit_sessions(p_sessions uuid[], p_times timestamptz[], p_users uuid[], p_roles text[], p_verified boolean[],
-- p_ends integer[], p_keys bytea[], p_limits integer[], p_seconds integer[], p_costs integer[]) RETURNS
-- TABLE(place bigint, user_id integer, uuid uuid, email text, role text, is_verified boolean, tenant_id
-- integer, created_at timestamptz, last_login timestamptz, physician_uuid uuid, employee_id bigint,
-- language_preference text, vacation_mode boolean, physician_created_at timestamptz, tenant_uuid uuid,
-- tenant_name text, tenant_slug text, tenant_created_at timestamptz, remaining integer[], resets_in
-- integer[], is_short boolean[])
--   As `find_live_sessions`, and takes the request behind each session from the quotas of its user, in the same
--   round trip. Nothing is taken, and `remaining` is null, where the token names another user, or where role
--   or address do not permit the request: `p_roles` has for each request the roles that do, separated by
--   commas.

-- count_refusal(p_category text, p_id bigint, p_at timestamptz, p_now timestamptz) RETURNS boolean
--   Increments the count of one refusal event; false when there is none to increment. Runs with the rights of
--   the tables' owner, because the app may not update the event log: only the count of a refusal changes, it
--   only grows, and only for a day by the database's clock. The time zone is pinned: the length of a day must
--   not depend on the caller's.
--   Runs as the owner of the tables.

-- create_event_log_partitions() RETURNS integer
--   As create_event_partitions_of, of all categories at once. A version before it calls this one; a later
--   version drops it.

-- create_event_partitions_of(p_category text) RETURNS integer
--   Creates the partitions of the event log for the current period and the next two of a category, and for rows
--   in its default partition, which are moved into theirs; nothing in a default partition ever expires.
--   Returns how many are new. Runs with the rights of the tables' owner, by the database's clock, which stamps
--   the rows (default of event_logs.at). Date style and time zone are pinned: bounds are written as text.
--   Runs as the owner of the tables.

-- drop_event_log_partition(p_name text, p_now timestamptz) RETURNS void
--   Drops an expired partition of the event log, with the rights of the tables' owner. Refuses any other name,
--   and never drops early even if the app names a later time. Bounds are read as text, so date style and time
--   zone are pinned.
--   Runs as the owner of the tables.

-- end_sessions(p_user integer, p_sessions uuid[], p_reason text, p_replaced_by uuid, p_now timestamptz) RETURNS
-- void
--   Ends open sessions of one user, which the caller has locked, with their refresh tokens and push devices, and
--   writes the notices from which their streams learn it.

-- event_log_retention(p_category text) RETURNS interval
--   How long events of a category are stored.

-- expired_event_log_partitions(p_now timestamptz) RETURNS SETOF text
--   Partitions of the event log whose last moment is beyond the retention of their category, oldest first. A
--   default partition has no bounds and never expires. Bounds are read as text, so date style and time zone
--   are pinned.

-- find_address_owner(p_email text) RETURNS TABLE(user_id integer, user_uuid uuid, tenant_id integer, is_active
-- boolean, is_verified boolean, tenant_is_active boolean)
--   The account that owns an email address, in any tenant: an address is one account across all tenants. At most
--   one row.
--   Runs as dermagate_lookup.

-- find_invitation(p_hash bytea, p_now timestamptz) RETURNS TABLE(uuid uuid, tenant_id integer, email text, role
-- text)
--   An invitation by the SHA-256 of its token. It counts while its inviter is an active admin. At most one row.
--   Runs as dermagate_lookup.

-- find_known_network(p_email text, p_network text, p_since timestamptz) RETURNS boolean
--   Whether a session of that account was opened in the network and used since. Login names no tenant.
--   Runs as dermagate_lookup.

-- find_live_sessions(p_sessions uuid[], p_times timestamptz[]) RETURNS TABLE(place bigint, user_id integer, uuid
-- uuid, email text, role text, is_verified boolean, tenant_id integer, created_at timestamptz, last_login
-- timestamptz, physician_uuid uuid, employee_id bigint, language_preference text, vacation_mode boolean,
-- physician_created_at timestamptz, tenant_uuid uuid, tenant_name text, tenant_slug text, tenant_created_at
-- timestamptz)
--   Of the sessions asked for those that are neither ended nor expired at their time, of an active account in an
--   active tenant, with what the account's owner may read of account, profile and tenant. Every request with
--   an access token asks this once, by primary keys, before its tenant is known; requests that come together
--   ask it together. `place` counts the sessions asked for from 1.
--   Runs as dermagate_lookup.

-- find_login(p_email text) RETURNS TABLE(user_uuid uuid, user_id integer, tenant_id integer, password_hash text,
-- role text, is_active boolean, tenant_is_active boolean)
--   The account of an email address, for login: login names no tenant. At most one row.
--   Runs as dermagate_lookup.

-- find_push_token_tenants(p_token_hash bytea) RETURNS TABLE(tenant_id integer)
--   The tenants in which a device is registered with this token: one app may serve several clinics, and a phone
--   that was handed on may be registered in another than before.
--   Runs as dermagate_lookup.

-- find_refresh_tokens(p_hashes bytea[], p_times timestamptz[]) RETURNS TABLE(place bigint, id bigint,
-- session_uuid uuid, tenant_id integer, user_id integer, user_uuid uuid, role text, revoked boolean,
-- revoked_reason text, rotated_at timestamptz, expires_at timestamptz, sealed_successor bytea, is_alive
-- boolean)
--   Refresh tokens by their SHA-256, used ones included: reuse detection needs them. Requests that come together
--   ask together. `place` counts the hashes asked for from 1.
--   Runs as dermagate_lookup.

-- find_reset_token(p_hash bytea, p_now timestamptz) RETURNS TABLE(id bigint, tenant_id integer, user_id integer,
-- user_uuid uuid, email text)
--   A password-reset token by its SHA-256, while it is unused and not expired and account and tenant are active.
--   At most one row.
--   Runs as dermagate_lookup.

-- find_session_end(p_session uuid) RETURNS TABLE(reason text)
--   Why a session ended, before its tenant is known; no row while it is open. Asked only where a request is
--   refused.
--   Runs as dermagate_lookup.

-- find_user_notices(p_tenants integer[], p_users integer[], p_after bigint[], p_now timestamptz) RETURNS
-- TABLE(id bigint, user_id integer, kind text, payload jsonb, agent text, created_at timestamptz)
--   Notices of users in any tenants, for the event streams of one instance: of the n-th user those after the
--   n-th id, the oldest first, a hundred at most. `agent`: of the session that has replaced another, where the
--   notice names it.
--   Runs as dermagate_lookup.

-- find_verification_token(p_hash bytea, p_now timestamptz) RETURNS TABLE(id bigint, tenant_id integer, user_id
-- integer, email text)
--   An email-verification token by its SHA-256. It is bound to the address it was sent to: after a change of
--   address it finds nothing. At most one row.
--   Runs as dermagate_lookup.

-- list_image_blob_page(p_after text, p_limit integer) RETURNS TABLE(blob_name text, image_uuid uuid, tenant_id
-- integer, is_thumbnail boolean, state text, created_at timestamptz)
--   The next `p_limit` blobs and thumbnails after a blob name, across all tenants, for the timer that compares
--   rows and blobs; the state of those deleted by a user is `deleted`. Each half stops at the limit by itself,
--   in the order of its index.
--   Runs as dermagate_lookup.

-- record_ai_calls(p_calls jsonb) RETURNS void
--   Writes calls of the AI service, each with its result row and its event, in one round trip and one commit:
--   the patients' answers wait for it. `p_calls` has an object for each tenant: `results` and `events` are
--   lists of their rows, written by one statement each. The app's own rights apply; tenants are set for the
--   transaction of this statement only.

-- record_refusal(p_key bytea, p_seconds integer, p_now timestamptz, p_event jsonb) RETURNS void
--   Writes an event for a refusal; refusals of one kind (`p_key`) within `p_seconds` become one event with a
--   count, so that a flood leaves one row per window and not per request.

-- release_distinct(p_counter bytea, p_member bytea) RETURNS void
--   Removes a member that reserve_distinct counted.

-- renew_sessions(p_hashes bytea[], p_times timestamptz[], p_renewals jsonb) RETURNS TABLE(place bigint, outcome
-- text, wait integer, session_uuid uuid, tenant_id integer, user_id integer, user_uuid uuid, role text)
--   Exchanges refresh tokens for their successors and writes the events, in one round trip and one commit: the
--   callers wait for it. Tokens are presented by their SHA-256 (`p_hashes`), each at a time of its own
--   (`p_times`), and what belongs to each stands at its place in `p_renewals`. Returns for each token that
--   exists, `place` counted from 1, its session and the outcome:

-- reserve_attempt(p_keys bytea[], p_limits integer[], p_seconds integer[], p_now timestamptz, p_hold boolean
-- DEFAULT false) RETURNS integer
--   Takes one attempt from every counter, or, when any is used up, from none. Rows are locked in the order of
--   their keys, so that concurrent attempts queue up and never deadlock. A refused attempt leaves no row:
--   otherwise a flood of made-up addresses would leave two for each of them.

-- reserve_distinct(p_counter bytea, p_member bytea, p_limit integer, p_seconds integer, p_now timestamptz, OUT
-- wait integer, OUT is_new boolean) RETURNS record
--   Counts the distinct members of a set, such as the addresses that a network tries: a member has a row of its
--   own until the window ends. The counter's row is locked first, so that concurrent members never pass the
--   limit together.

-- sweep_ml_diagnosis_results(p_tenant integer, p_now timestamptz, p_limit integer) RETURNS TABLE(deleted
-- integer, blanked integer)
--   Deletes AI calls that belong to no case after two years, and their anamneses after 90 days; `p_limit` rows
--   of each at most. The app may neither change nor delete such rows: this runs with the rights of the tables'
--   owner, and deletes nothing early even if the app names a later time. The time zone is pinned: the length
--   of a day must not depend on the caller's.
--   Runs as the owner of the tables.

-- sweep_request_records(p_tenant integer, p_now timestamptz, p_limit integer) RETURNS integer
--   Deletes cases that expired or were cancelled without ever having been submitted, 30 days after their last
--   change, with all rows that belong to them; `p_limit` cases at most. Photos stay: they are their owner's.
--   The app may delete neither cases nor what patients said: this runs with the rights of the tables' owner,
--   and deletes nothing early even if the app names a later time. The event log, which the app can only append
--   to, is the second witness that a case was never submitted.
--   Runs as the owner of the tables.

-- sweep_user_check_logs(p_tenant integer, p_now timestamptz, p_limit integer) RETURNS integer
--   Deletes checks of whether a person may do something, two years after they were made; `p_limit` rows at most.
--   The app may neither change nor delete such rows: this runs with the rights of the tables' owner, and
--   deletes nothing early even if the app names a later time.
--   Runs as the owner of the tables.

-- take_back_renewals(p_hashes bytea[], p_successors bytea[], p_now timestamptz) RETURNS void
--   Takes back exchanges of refresh tokens of which the app cannot know whether they were made, and whose
--   successors no one has therefore received: the tokens (`p_hashes`, by their SHA-256) are as before, and
--   their successors (`p_successors`, each at the place of its token) are used. One that has not been made yet
--   cannot be made any more: it would insert a successor that is there already. A token whose successor is
--   used, or whose session has ended, stays as it is. May be called again and again.

-- take_quotas(p_places bigint[], p_ends integer[], p_keys bytea[], p_limits integer[], p_seconds integer[],
-- p_costs integer[], p_times timestamptz[]) RETURNS TABLE(place bigint, remaining integer[], resets_in
-- integer[], is_short boolean[])
--   Takes each of several requests from all of its caller's quotas, or, when any is used up, from none. Returns
--   what remains of each, in the order given: the RateLimit headers report it. A quota counts what it is a
--   quota of: requests, or bytes.
