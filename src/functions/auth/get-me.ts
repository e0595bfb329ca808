import { z } from 'zod';
import { findPhysicianOfUser } from '../../domain/physicians/physician.queries.ts';
import { findTenant } from '../../domain/tenants/tenant.queries.ts';
import { findUser } from '../../domain/users/user.queries.ts';
import { Role } from '../../domain/users/user.schemas.ts';
import { inTenant } from '../../lib/db/tenant.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { Timestamp } from '../../lib/http/timestamp.ts';

const Me = z
  .object({
    user: z
      .object({
        uuid: z.uuid(),
        email: z.string(),
        role: Role,
        is_active: z.boolean(),
        is_verified: z.boolean(),
        tenant_id: z.int(),
        created_at: Timestamp,
        last_login: Timestamp.nullable(),
      })
      .meta({ id: 'User' }),
    physician: z
      .object({
        uuid: z.uuid(),
        user_id: z.int(),
        employee_id: z.int().nullable(),
        language_preference: z.string(),
        vacation_mode: z.boolean(),
        created_at: Timestamp,
      })
      .nullable()
      .meta({ id: 'Physician', description: 'Null for other roles' }),
    tenant: z
      .object({
        uuid: z.uuid(),
        name: z.string(),
        slug: z.string(),
        is_active: z.boolean(),
        created_at: Timestamp,
      })
      .meta({ id: 'Tenant' }),
  })
  .meta({ id: 'Me' });

export const getMe = endpoint({
  name: 'getMe',
  method: 'GET',
  route: 'api/auth/me',
  tag: 'Authentication',
  summary: 'Who I am',
  auth: 'any',
  audit: 'none',
  reply: { status: 200, description: 'User, physician profile and tenant.', body: Me },
  problems: [],
  async handler({ user, db }) {
    return await inTenant(db, user.tenantId, async (tx) => ({
      user: await findUser(tx, user.id),
      physician: (await findPhysicianOfUser(tx, user.id)) ?? null,
      tenant: await findTenant(tx, user.tenantId),
    }));
  },
});
