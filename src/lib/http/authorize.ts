import type { HttpRequest } from '@azure/functions';
import type { AccountActor } from '../../contract/actor.ts';
import { Problem } from '../../contract/problem.ts';
import type { RequestFacts } from '../../contract/request-facts.ts';
import { Role, staffRoles } from '../../contract/role.ts';
import type { Config } from '../configuration/config.ts';
import type { AppContext } from '../app/context.ts';
import type { Access, AnyEndpoint, QuotaGroup } from './endpoint.ts';
import type { QuotaState } from './rate-limit-headers.ts';

/** An account, and the state of the quotas that its request was taken from. */
export interface Admitted {
  actor: AccountActor;
  quotas: readonly QuotaState[];
}

/** Which quotas a request is taken from, and who may make it: one that is refused takes nothing. */
export interface QuotaOfRequest {
  group: QuotaGroup;
  /** Of the body, as announced. */
  bytes: number;
  roles: readonly Role[];
  verifiedOnly: boolean;
}

export type Authenticate = (
  token: string,
  request: RequestFacts,
  quota: QuotaOfRequest | undefined,
) => Promise<Admitted>;

/**
 * @returns undefined where no token is sent and none is needed.
 * @throws {Problem} `authentication_required`, and what `hooks.authenticate` throws.
 */
export async function authenticate(
  endpoint: Pick<AnyEndpoint, 'auth' | 'quota' | 'verifiedOnly'>,
  request: HttpRequest,
  facts: RequestFacts,
  { config }: AppContext,
  hooks: { authenticate: Authenticate },
): Promise<Admitted | undefined> {
  const { auth, quota: group } = endpoint;
  if (auth === 'public') return undefined;
  const header = request.headers.get('authorization');
  if (header === null) {
    const open = auth === 'optional' || (auth === 'any-unless-public-ai' && config.PUBLIC_AI_ROUTES);
    if (open) return undefined;
    throw new Problem('authentication_required');
  }
  const token = /^Bearer +([^\s,]+)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw new Problem('authentication_required');
  const [roles, verifiedOnly] = [allowedRoles(auth), isForVerified(endpoint, config)];
  const quota = group && { group, bytes: bodyBytes(request), roles, verifiedOnly };
  return await hooks.authenticate(token, facts, quota);
}

/** @throws {Problem} `forbidden`, `email_unverified` */
export function requireAccess(
  endpoint: Pick<AnyEndpoint, 'auth' | 'verifiedOnly'>,
  { role, account }: AccountActor,
  config: Config,
): void {
  if (!allowedRoles(endpoint.auth).includes(role)) throw new Problem('forbidden');
  if (isForVerified(endpoint, config) && !account.user.is_verified) throw new Problem('email_unverified');
}

/** Health data is taken only from accounts whose address is proved, where the operator requires it. */
const isForVerified = ({ verifiedOnly }: Pick<AnyEndpoint, 'verifiedOnly'>, config: Config) =>
  config.REQUIRE_VERIFIED_EMAIL && verifiedOnly === true;

/** As announced; a body without a length is refused before it is read. */
function bodyBytes(request: HttpRequest): number {
  const digits = /^0*(\d{1,9})$/.exec(request.headers.get('content-length') ?? '')?.[1];
  return Number(digits ?? 0);
}

const allowedRoles = (auth: Access): readonly Role[] => rolesOf[auth] ?? Role.options;

/** Where not every role may call. */
const rolesOf: Partial<Record<Access, readonly Role[]>> = {
  'physician-level': staffRoles,
  'admin-level': ['admin'],
};
