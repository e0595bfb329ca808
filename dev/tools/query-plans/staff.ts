// Accounts of the seeded default tenant, signed in.
import type { Role } from '../../../src/contract/role.ts';
import { createAccessTokens } from '../../../src/lib/auth/access-token.ts';
import { query } from '../../services/postgres.ts';

/** An app and its database. */
export interface Side {
  /** Of the app. */
  url: string;
  superuserUrl: string;
  /** The app's `SECRET_KEY`. */
  secret: string;
}

export interface Caller {
  headers: Record<string, string>;
  /** A case of the account's own; null for staff. */
  case: string | null;
}

/**
 * Opens a session for each account of `role` that `which` lets through, at most `limit`.
 * @param which a condition on `users u`, and an order.
 */
export async function signIn(
  { superuserUrl, secret }: Omit<Side, 'url'>,
  role: Role,
  which: string,
  limit: number,
): Promise<[Caller, ...Caller[]]> {
  const rows = (await query(
    superuserUrl,
    `WITH chosen AS (SELECT u.* FROM users u WHERE u.tenant_id = 1 AND u.role = $1 AND ${which} LIMIT $2),
     opened AS (
       INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at)
       SELECT gen_random_uuid(), 1, id, now(), now(), now() + interval '1 day', now() + interval '1 day' FROM chosen
       RETURNING uuid, user_id)
     SELECT c.uuid AS user, o.uuid AS session,
       (SELECT r.uuid FROM request_records r WHERE r.tenant_id = 1 AND r.account_user_id = c.id LIMIT 1) AS case
     FROM chosen c JOIN opened o ON o.user_id = c.id`,
    [role, limit],
  )) as { user: string; session: string; case: string | null }[];
  const tokens = createAccessTokens({ current: secret });
  const [first, ...others] = rows.map((row): Caller => {
    const claims = { sub: row.user, sid: row.session, role, tenantId: 1 };
    const authorization = `Bearer ${tokens.sign(claims, new Date())}`;
    return { headers: { authorization, 'content-type': 'application/json' }, case: row.case };
  });
  if (first === undefined) throw new Error(`The default tenant has no such ${role}.`);
  return [first, ...others];
}

/** The busiest physician, who has one in twenty cases, and an admin. */
export async function signInStaff(side: Omit<Side, 'url'>): Promise<Record<'physician' | 'admin', Caller>> {
  const busiest = 'u.id = (SELECT user_id FROM physicians WHERE tenant_id = 1 ORDER BY id LIMIT 1)';
  const [physician] = await signIn(side, 'physician', busiest, 1);
  const [admin] = await signIn(side, 'admin', 'true ORDER BY u.id', 1);
  return { physician, admin };
}
