import type { Me } from './account.ts';
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
  /** What its owner may read of it, found together with the session. Personal data: never logged. */
  account: Me;
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
  /** The tenant in which it works; undefined for what belongs to none. */
  tenantId: number | undefined;
  ipPrefix: undefined;
}

/** Who acts. */
export type Actor = AccountActor | AnonymousActor | SystemActor;

/** Who acts in a tenant: an account, an anonymous caller who names one, or the service itself. */
export type TenantActor = Actor & { tenantId: number };

export const systemActor: SystemActor = { kind: 'system', tenantId: undefined, ipPrefix: undefined };

/** The service itself, at work in one tenant. */
export const systemActorOf = (tenantId: number): SystemActor & TenantActor => ({ ...systemActor, tenantId });
