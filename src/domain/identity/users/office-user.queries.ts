import { sql } from 'kysely';
import { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import { Role } from '../../../contract/role.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import { physicianName } from '../physicians/display-name.ts';
import type { OfficeUser, OfficeUserDetail } from './office-user.schemas.ts';

interface Row {
  uuid: string;
  email: string;
  role: Role;
  is_active: boolean;
  is_verified: boolean;
  language: string | null;
  version: number;
  created_at: Date;
  last_login: Date | null;
  physician_id: number | null;
  physician_uuid: string | null;
  settings: unknown;
}

function toOfficeUser(row: Row): OfficeUser {
  const { physician_id: id, physician_uuid: uuid, settings, language, ...user } = row;
  return {
    ...user,
    language: Language.nullable().parse(language),
    physician: id === null || uuid === null ? null : { uuid, display_name: physicianName({ id, settings }) },
  };
}

/** Sorts after every address that begins with the same letters. */
const last = '\u{10ffff}';

/**
 * Accounts of a tenant by address, one more than `limit` where there are more. Each role and state has a range of its own
 * in the index, so that no filter makes PostgreSQL read past accounts of another kind.
 */
export async function findUsers(
  tx: Tx,
  filter: {
    tenantId: number;
    prefix: string;
    role: Role | undefined;
    isActive: boolean | undefined;
    after: string | undefined;
    limit: number;
  },
): Promise<OfficeUser[]> {
  const { tenantId, prefix, role, isActive, after = '', limit } = filter;
  const roles = role === undefined ? Role.options : [role];
  const states = isActive === undefined ? [true, false] : [isActive];
  const { rows } = await sql<Row>`
    SELECT u.uuid, u.email, u.role, u.is_active, u.is_verified, u.language, u.version, u.created_at, u.last_login,
      p.id AS physician_id, p.uuid AS physician_uuid, p.settings
    FROM unnest(${roles}::text[]) AS r(role) CROSS JOIN unnest(${states}::boolean[]) AS s(is_active)
    CROSS JOIN LATERAL (
      SELECT * FROM users
      WHERE tenant_id = ${tenantId} AND role = r.role AND is_active = s.is_active
        AND email COLLATE "C" >= ${prefix} AND email COLLATE "C" < ${prefix + last}
        AND email COLLATE "C" > ${after}
      ORDER BY email COLLATE "C" LIMIT ${limit + 1}) AS u
    LEFT JOIN physicians p ON p.user_id = u.id
    ORDER BY u.email COLLATE "C" LIMIT ${limit + 1}`.execute(tx);
  return rows.map(toOfficeUser);
}

/** @throws {Problem} `user_not_found` */
export async function readOfficeUser(tx: Tx, uuid: string, now: Date): Promise<OfficeUserDetail> {
  const { rows } = await sql<Row & Pick<OfficeUserDetail, 'groups' | 'open_sessions'>>`
    SELECT u.uuid, u.email, u.role, u.is_active, u.is_verified, u.language, u.version, u.created_at, u.last_login,
      p.id AS physician_id, p.uuid AS physician_uuid, p.settings,
      (
        SELECT count(*)::integer FROM sessions s
        WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.revoked_at IS NULL
          AND s.idle_expires_at > ${now} AND s.absolute_expires_at > ${now}) AS open_sessions,
      (
        SELECT coalesce(jsonb_agg(jsonb_build_object('uuid', g.uuid, 'name', g.name) ORDER BY g.name), '[]')
        FROM user_group_members m JOIN user_groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id
        WHERE m.tenant_id = u.tenant_id AND m.user_id = u.id) AS groups
    FROM users u LEFT JOIN physicians p ON p.user_id = u.id
    WHERE u.uuid = ${uuid}`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw userNotFound(uuid);
  const { groups, open_sessions, ...user } = row;
  return { ...toOfficeUser(user), groups, open_sessions };
}

const userNotFound = (uuid: string) => new Problem('user_not_found', { conceals: { kind: 'user', uuid } });

/**
 * Locks an account as `lockAccount` does.
 * @throws {Problem} `user_not_found`
 */
export async function lockUser(tx: Tx, uuid: string): Promise<{ id: number }> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('uuid', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (user === undefined) throw userNotFound(uuid);
  return user;
}

/** An account that is about to change, and the admins who remain if it is none any more. */
export interface LockedUser {
  user: {
    id: number;
    uuid: string;
    email: string;
    role: Role;
    is_active: boolean;
    version: number;
    language: string | null;
  };
  /** Active ones, this account left out. */
  otherAdmins: readonly string[];
}

/**
 * Locks an account together with every active admin of the tenant: of two admins who deactivate each other, the second
 * finds what the first has done.
 *
 * @throws {Problem} `user_not_found`
 */
export async function lockWithAdmins(tx: Tx, tenantId: number, uuid: string): Promise<LockedUser> {
  const rows = await tx
    .selectFrom('users')
    .select(['id', 'uuid', 'email', 'is_active', 'version', 'language'])
    .select((eb) => eb.ref('role').$castTo<Role>().as('role'))
    .where('tenant_id', '=', tenantId)
    .where((eb) =>
      eb.or([eb('uuid', '=', uuid), eb.and([eb('role', '=', 'admin'), eb('is_active', '=', true)])]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const user = rows.find((row) => row.uuid === uuid);
  if (user === undefined) throw userNotFound(uuid);
  const admins = rows.filter((row) => row !== user && row.role === 'admin' && row.is_active);
  return { user, otherAdmins: admins.map((row) => row.uuid) };
}
