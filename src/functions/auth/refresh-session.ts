import { z } from 'zod';
import { replayRotation, rotateRefreshToken } from '../../domain/identity/sessions/rotate-refresh-token.ts';
import { refreshRules, refusedTokenRules } from '../../domain/identity/throttle/auth-limits.ts';
import { countRefusedToken } from '../../domain/identity/throttle/refused-token.ts';
import { requireAttempt } from '../../domain/identity/throttle/throttle.ts';
import { TokenPair } from '../../domain/identity/sessions/token-pair.ts';
import { issueTokens } from '../../lib/auth/issue-tokens.ts';
import { createOpaqueToken, hashOpaqueToken } from '../../lib/auth/opaque-token.ts';
import { openSuccessor, sealSuccessor } from '../../lib/auth/sealed-successor.ts';
import { challenge } from '../../lib/auth/access-token.ts';
import { endpoint } from '../../lib/http/endpoint.ts';
import { requestMetrics } from '../../lib/telemetry/request-metrics.ts';
import { Problem } from '../../contract/problem.ts';

export const refreshSession = endpoint({
  name: 'refreshSession',
  method: 'POST',
  route: 'api/auth/refresh',
  tag: 'Authentication',
  summary: 'Exchange a refresh token for a new pair',
  description:
    'A refresh token works once. Of several uses at the same time one succeeds and the others are 401; the session lives ' +
    'on. A use after the exchange ends the whole session, because somebody has a copy. Where the operator has set ' +
    '`REFRESH_REPLAY_GRACE_SECONDS`, the same token gets the same successor again within that time. Keep both tokens on a ' +
    'network error, 429 or 5xx, and try the same refresh token again; log out only on `refresh_token_invalid`. A session is ' +
    'refreshed 120 times an hour at most; one network may send 100 unknown tokens in 15 minutes.',
  auth: 'public',
  audit: { category: 'auth', success: 'session_renewed', refusal: 'session_renewal_fail' },
  body: z
    .strictObject({ refresh_token: z.string().meta({ description: 'The refresh token of the last pair.' }) })
    .meta({ id: 'RefreshRequest', description: 'The token to exchange.' }),
  reply: { status: 200, description: 'The next pair; the presented token is used up.', body: TokenPair },
  problems: ['refresh_token_invalid', 'rate_limited'],
  async handler({ body, context }) {
    const { db, config, throttleKey, clock, accessTokens, request, audit, log } = context;
    const presented = body.refresh_token;
    const presentedHash = hashOpaqueToken('refresh', presented);
    const successor = createOpaqueToken('refresh');
    const replayGraceMs = config.REFRESH_REPLAY_GRACE_SECONDS * 1000;
    const sealed = replayGraceMs > 0 ? sealSuccessor(presented, successor.token) : undefined;
    const facts = { now: clock.now, audit };
    let rotation = await rotateRefreshToken(db, {
      ...facts,
      presentedHash,
      successor: { hash: successor.hash, sealed },
      receivedAt: request.receivedAt,
      requireTurn: (tx, sessionUuid) =>
        requireAttempt(tx, refreshRules(config, throttleKey, sessionUuid), request.receivedAt),
      raceSkewMs: config.REFRESH_RACE_SKEW_MS,
      replayGraceMs,
    });
    let { token } = successor;
    if (rotation.verdict === 'replayed') {
      token = openSuccessor(presented, rotation.sealedSuccessor);
      rotation = await replayRotation(db, hashOpaqueToken('refresh', token), facts);
    }
    if (rotation.verdict === 'refused') {
      const { reason, session } = rotation;
      if (reason === 'reuse') {
        requestMetrics.refreshTokenReused();
        log.warn('refresh_token_reuse', { tenant: session?.tenantId });
      }
      if (reason === 'unknown') {
        const rules = refusedTokenRules(config, throttleKey, 'refresh', request.ipPrefix);
        await countRefusedToken(db, rules, presentedHash !== undefined, request.receivedAt);
      }
      const about = { reason, ...session };
      throw new Problem('refresh_token_invalid', { headers: challenge, about });
    }
    return await issueTokens(accessTokens, rotation.session, token, clock.now());
  },
});
