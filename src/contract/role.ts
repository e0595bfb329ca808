import { z } from 'zod';

/** What an account may do; it belongs to the account, not to the session. */
export const Role = z
  .enum(['patient', 'physician', 'admin'])
  .meta({ id: 'Role', description: 'What a user may do.' });
export type Role = z.infer<typeof Role>;

/** Who works in a clinic. */
export const staffRoles: readonly Role[] = ['physician', 'admin'];
