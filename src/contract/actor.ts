import type { Role } from './role.ts';

/** An account with an open session, as the database knows it now, not as its access token remembers it. */
export interface AccountActor {
  kind: 'account';
  /** `users.id` */
  id: number;
  uuid: string;
  tenantId: number;
  role: Role;
  sessionUuid: string;
  ipPrefix: string | undefined;
}

/** A caller without an access token. */
export interface AnonymousActor {
  kind: 'anonymous';
  /** The tenant that the request names; undefined where the endpoint looks up no tenant. */
  tenantId: number | undefined;
  /** /24 or /64 of the client's address: enough to throttle and audit, too little to track a person. */
  ipPrefix: string | undefined;
}

/** A timer, a command or a consumer of the outbox. */
export interface SystemActor {
  kind: 'system';
  tenantId: undefined;
  ipPrefix: undefined;
}

/** Who acts. */
export type Actor = AccountActor | AnonymousActor | SystemActor;

/** Who sends a request on a route that needs a tenant: an account, or an anonymous caller who names one. */
export type TenantActor = (AccountActor | AnonymousActor) & { tenantId: number };

export const systemActor: SystemActor = { kind: 'system', tenantId: undefined, ipPrefix: undefined };
