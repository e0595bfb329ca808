import type { Actor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import * as tokens from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/app/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { countRefusedToken } from '../../platform/throttle/throttle.ts';
import * as sessions from './session.queries.ts';
import type { RefreshTokenRow } from './session.queries.ts';
import { issueTokenPair, type TokenPair, type TokenSession } from './token-pair.ts';

/**
 * Exchanges a refresh token for a new pair, at most once.
 *
 * Two uses that overlap are a race between two tabs of one user: one wins, the other is refused, and the session
 * lives on. A use that arrived after the exchange is reuse: a second party has a copy, so the whole session ends, and
 * that is committed although the request fails (RFC 9700 §4.14.2). Within REFRESH_REPLAY_GRACE_SECONDS a replay gets
 * the successor that was issued then.
 *
 * @throws {Problem} `refresh_token_invalid`, whose reason goes to the event log only; `rate_limited`
 */
export async function refreshSession(
  context: Context,
  _actor: Actor,
  { refresh_token: presented }: { refresh_token: string },
): Promise<TokenPair> {
  const { clock, request, audit, config } = context;
  const hash = tokens.hashOpaqueToken('refresh', presented);
  const { token: successor, hash: hashOfSuccessor } = tokens.createOpaqueToken('refresh');
  const sealed = graceMs(context) > 0 ? await tokens.sealSuccessor(presented, successor) : null;
  const [limit, event] = [config.LIMIT_REFRESHES_PER_SESSION, audit.row('success')];
  const renewal = { hashOfSuccessor, sealed, limit, event, receivedAt: request.receivedAt, clock };
  const renewed = hash && (await sessions.renewSession(context, { hash, ...renewal }));
  // With a grace the loser of a race is a replay.
  if (renewed?.session === undefined || (renewed.outcome === 'race' && graceMs(context) > 0)) {
    return await judge(context, presented, await findToken(context, hash));
  }
  if (renewed.outcome !== 'exchanged') throw refused(renewed.outcome, renewed.session);
  audit.wrote(renewed.session);
  return issueTokenPair(context, renewed.session, successor, clock.now());
}

const graceMs = ({ config }: Context) => config.REFRESH_REPLAY_GRACE_SECONDS * 1000;

/** Of a token that cannot be exchanged; if it was before: a replay within the grace, a race of two tabs, or reuse. */
async function judge(context: Context, presented: string, token: RefreshTokenRow): Promise<TokenPair> {
  const { db, clock, config, request } = context;
  const session = sessions.sessionOf(token);
  if (token.revoked_reason === 'session_ended') throw await ended(context, token);
  if (!token.is_alive) {
    await inTenant(db, token.tenant_id, (tx) =>
      sessions.endSessionsOfInactive(tx, token.user_id, clock.now()),
    );
    throw await ended(context, token);
  }
  if (!token.revoked) throw refused('expired', session);
  const age = request.receivedAt.getTime() - (token.rotated_at?.getTime() ?? 0);
  const sealed = age <= graceMs(context) ? token.sealed_successor : null;
  if (sealed !== null) return await replay(context, await tokens.openSuccessor(presented, sealed));
  if (age <= config.REFRESH_RACE_SKEW_MS) throw refused('race', session);
  throw await endForReuse(context, session);
}

/** @throws {Problem} counted, for a token that does not exist */
async function findToken(context: Context, hash: Buffer | undefined): Promise<RefreshTokenRow> {
  const token = hash && (await sessions.findRefreshToken(context, { hash, now: context.clock.now() }));
  if (token !== undefined) return token;
  await countRefusedToken(context, 'refresh', hash !== undefined);
  throw refused('unknown');
}

/** Answers with the successor issued at the exchange, unless that is used too: then two parties have the family. */
async function replay(context: Context, successor: string): Promise<TokenPair> {
  const token = await findToken(context, tokens.hashOpaqueToken('refresh', successor));
  const session = sessions.sessionOf(token);
  if (token.revoked) throw await endForReuse(context, session);
  await inTenant(context.db, token.tenant_id, (tx) =>
    context.audit.succeeded(tx, { ...session, detail: { replayed: true } }),
  );
  return issueTokenPair(context, session, successor, context.clock.now());
}

async function endForReuse(context: Context, session: TokenSession): Promise<Problem> {
  const { db, clock, audit, log, metrics } = context;
  const { tenantId: tenant, userId, sessionUuid: only } = session;
  await inTenant(db, tenant, async (tx) => {
    await sessions.endSessions(tx, userId, { only }, 'reuse_detected', clock.now());
    await audit.as(auditEvents.refreshTokenReused).denied(tx, session);
  });
  metrics.refreshTokenReused();
  log.warn('refresh_token_reuse', { tenant });
  return refused('reuse', session);
}

type Reason = 'unknown' | 'expired' | 'ended' | 'race' | 'reuse';

const refused = (reason: Reason, session?: TokenSession, members = {}): Problem =>
  new Problem('refresh_token_invalid', { about: { reason, ...session }, members });

const ended = async ({ db }: Context, token: RefreshTokenRow): Promise<Problem> =>
  refused('ended', sessions.sessionOf(token), await sessions.endOf(db, token.session_uuid));
