// Staff of the seeded default tenant, signed in.
import { createAccessTokens } from '../../../src/lib/auth/access-token.ts';
import type { Role } from '../../../src/contract/role.ts';
import { query } from '../../services/postgres.ts';

export interface Side {
  /** Of the app. */
  url: string;
  superuserUrl: string;
  /** The app's `SECRET_KEY`. */
  secret: string;
}

export interface StaffMember {
  headers: Record<string, string>;
}

/** The busiest physician, who has one in twenty cases, and an admin. All seeded sessions of theirs have ended. */
export async function signInStaff({
  superuserUrl,
  secret,
}: Omit<Side, 'url'>): Promise<Record<'physician' | 'admin', StaffMember>> {
  const tokens = createAccessTokens({ current: secret });
  const signIn = async (role: Role, whom: string): Promise<StaffMember> => {
    const [row] = (await query(
      superuserUrl,
      `INSERT INTO sessions (uuid, tenant_id, user_id, auth_time, last_used_at, idle_expires_at, absolute_expires_at)
       SELECT gen_random_uuid(), tenant_id, id, now(), now(), now() + interval '1 day', now() + interval '1 day'
       FROM users WHERE id = (${whom}) RETURNING uuid AS session, (SELECT uuid FROM users u WHERE u.id = user_id) AS user`,
    )) as { session: string; user: string }[];
    if (row === undefined) throw new Error(`The default tenant has no ${role}.`);
    const claims = { sub: row.user, sid: row.session, role, tenantId: 1 };
    return {
      headers: {
        authorization: `Bearer ${tokens.sign(claims, new Date())}`,
        'content-type': 'application/json',
      },
    };
  };
  return {
    physician: await signIn(
      'physician',
      'SELECT user_id FROM physicians WHERE tenant_id = 1 ORDER BY id LIMIT 1',
    ),
    admin: await signIn(
      'admin',
      `SELECT id FROM users WHERE tenant_id = 1 AND role = 'admin' ORDER BY id LIMIT 1`,
    ),
  };
}
