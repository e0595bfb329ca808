import type { Actor } from '../../../contract/actor.ts';
import { auditEvents } from '../../../contract/audit.ts';
import { Problem } from '../../../contract/problem.ts';
import * as tokens from '../../../lib/auth/opaque-token.ts';
import type { Context } from '../../../lib/context.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { requestMetrics } from '../../../lib/telemetry/request-metrics.ts';
import { countRefusedToken, refreshRule } from '../throttle/throttle.ts';
import * as sessions from './session.queries.ts';
import type { RefreshTokenRow } from './session.queries.ts';
import { issueTokenPair, type TokenPair } from './token-pair.ts';

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
  const { db, clock, request, audit } = context;
  const token = await findToken(context, presented);
  const now = clock.now();
  if (token.revoked_reason === 'session_ended') throw await ended(context, token);
  if (!token.is_alive) {
    await inTenant(db, token.tenant_id, (tx) => sessions.endSessionsOfInactive(tx, token.user_id, now));
    throw await ended(context, token);
  }
  if (token.revoked) return await answerUsed(context, presented, token);
  if (token.expires_at <= now) throw refused('expired', token);

  const { token: successor, hash } = tokens.createOpaqueToken('refresh');
  const sealed = graceMs(context) > 0 ? await tokens.sealSuccessor(presented, successor) : null;
  const rule = refreshRule(context, token.session_uuid);
  const event = audit.row('success', sessions.sessionOf(token));
  const exchange = { token, hash, sealed, rule, event, receivedAt: request.receivedAt, now };
  const outcome = await sessions.exchangeRefreshToken(db, exchange);
  // With a grace the loser of a race is a replay.
  if (outcome === 'race' && graceMs(context) > 0) {
    return await answerUsed(context, presented, await findToken(context, presented));
  }
  if (outcome !== 'exchanged') throw refused(outcome, token);
  return issueTokenPair(context, sessions.sessionOf(token), successor, now);
}

const graceMs = ({ config }: Context) => config.REFRESH_REPLAY_GRACE_SECONDS * 1000;

/** A token that was exchanged before: a replay within the grace, a race of two tabs, or reuse. */
async function answerUsed(context: Context, presented: string, token: RefreshTokenRow): Promise<TokenPair> {
  if (token.revoked_reason === 'session_ended') throw await ended(context, token);
  const age = context.request.receivedAt.getTime() - (token.rotated_at?.getTime() ?? 0);
  const sealed = age <= graceMs(context) ? token.sealed_successor : null;
  if (sealed !== null) return await replay(context, await tokens.openSuccessor(presented, sealed));
  if (age <= context.config.REFRESH_RACE_SKEW_MS) throw refused('race', token);
  throw await endForReuse(context, token);
}

/** @throws {Problem} counted, for a token that does not exist */
async function findToken(context: Context, presented: string): Promise<RefreshTokenRow> {
  const hash = tokens.hashOpaqueToken('refresh', presented);
  const token = hash && (await sessions.findRefreshToken(context.db, { hash, now: context.clock.now() }));
  if (token !== undefined) return token;
  await countRefusedToken(context, 'refresh', hash !== undefined);
  throw refused('unknown');
}

/** Answers with the successor issued at the exchange, unless that is used too: then two parties have the family. */
async function replay(context: Context, successor: string): Promise<TokenPair> {
  const token = await findToken(context, successor);
  if (token.revoked) throw await endForReuse(context, token);
  await inTenant(context.db, token.tenant_id, (tx) =>
    context.audit.succeeded(tx, { ...sessions.sessionOf(token), detail: { replayed: true } }),
  );
  return issueTokenPair(context, sessions.sessionOf(token), successor, context.clock.now());
}

async function endForReuse(context: Context, token: RefreshTokenRow): Promise<Problem> {
  const { db, clock, audit, log } = context;
  const { tenant_id: tenant, user_id: userId, session_uuid: only } = token;
  await inTenant(db, tenant, async (tx) => {
    await sessions.endSessions(tx, userId, { only }, 'reuse_detected', clock.now());
    await audit.as(auditEvents.refreshTokenReused).denied(tx, sessions.sessionOf(token));
  });
  requestMetrics.refreshTokenReused();
  log.warn('refresh_token_reuse', { tenant });
  return refused('reuse', token);
}

type Reason = 'unknown' | 'expired' | 'ended' | 'race' | 'reuse';

function refused(reason: Reason, token?: RefreshTokenRow, members = {}): Problem {
  const about = { reason, ...(token && sessions.sessionOf(token)) };
  return new Problem('refresh_token_invalid', { about, members });
}

const ended = async ({ db }: Context, token: RefreshTokenRow): Promise<Problem> =>
  refused('ended', token, await sessions.endOf(db, token.session_uuid));
