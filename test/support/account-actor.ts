import type { AccountActor } from '../../src/contract/actor.ts';

/** A patient as requests have them, for code that is tested without requests. */
export function accountActor(
  given: Pick<AccountActor, 'id' | 'uuid' | 'tenantId' | 'sessionUuid'>,
): AccountActor {
  const created_at = new Date('2026-01-02T03:04:05Z');
  const { uuid, tenantId: tenant_id } = given;
  const user = {
    uuid,
    email: 'patient@example.org',
    role: 'patient',
    tenant_id,
    created_at,
    last_login: null,
  } as const;
  return {
    kind: 'account',
    role: 'patient',
    ipPrefix: undefined,
    ...given,
    account: {
      user: { ...user, is_active: true, is_verified: true },
      physician: null,
      tenant: { uuid, name: 'Default', slug: 'default', is_active: true, created_at },
    },
  };
}
