import type { HttpRequest } from '@azure/functions';
import type { AccountActor, Actor } from '../../contract/actor.ts';
import { Problem } from '../../contract/problem.ts';
import type { RequestFacts } from '../../contract/request-facts.ts';
import { Role } from '../../contract/role.ts';
import type { AppContext } from '../context.ts';
import type { Access } from './endpoint.ts';

/**
 * @returns undefined where no token is sent and none is needed.
 * @throws {Problem} `authentication_required`, and what `hooks.authenticate` throws.
 */
export async function authenticate(
  auth: Access,
  request: HttpRequest,
  facts: RequestFacts,
  { config }: AppContext,
  hooks: { authenticate(token: string, request: RequestFacts): Promise<AccountActor> },
): Promise<AccountActor | undefined> {
  if (auth === 'public') return undefined;
  const header = request.headers.get('authorization');
  if (header === null) {
    const open = auth === 'optional' || (auth === 'any-unless-public-ai' && config.PUBLIC_AI_ROUTES);
    if (open) return undefined;
    throw new Problem('authentication_required');
  }
  const token = /^Bearer +([^\s,]+)$/i.exec(header.trim())?.[1];
  if (token === undefined) throw new Problem('authentication_required');
  return await hooks.authenticate(token, facts);
}

/** @throws {Problem} `forbidden` */
export function requireRole(auth: Access, actor: Actor): void {
  if (actor.kind !== 'account') return;
  if (!(rolesOf[auth] ?? Role.options).includes(actor.role)) throw new Problem('forbidden');
}

/** Where not every role may call. */
const rolesOf: Partial<Record<Access, readonly Role[]>> = {
  'physician-level': ['physician', 'admin'],
  'admin-level': ['admin'],
};
