// The latency of requests on a large database as a ratio to that on a small one, over HTTP.
import { createAccessTokens } from '../../../src/lib/auth/access-token.ts';
import { query } from '../../services/postgres.ts';
import { percentile } from '../bench/statistics.ts';

export interface Side {
  /** Of the app. */
  url: string;
  superuserUrl: string;
  /** The app's `SECRET_KEY`. */
  secret: string;
}

interface Caller {
  user: string;
  session: string;
  role: 'patient' | 'physician';
  /** One of the account's own; null for a physician. */
  case: string | null;
}

interface Timed {
  by: Caller['role'];
  path(caller: Caller): string;
  /** Posted. */
  json?: object;
  /** Whether the reply is the one that was to be timed. */
  isRight(text: string, caller: Caller): boolean;
  /** Posted to the same path afterwards, and not timed: what makes the next request find what this one has found. */
  undo?: object;
}

/** Requests of each kind on each side that count; each for another account where there are so many. */
const REQUESTS = 1000;
const WARM_UP = 50;

const hasOwnCase = (text: string, caller: Caller) => text.includes(String(caller.case));

const requests: Record<string, Timed> = {
  'GET /api/v1/mobile/cases': { by: 'patient', path: () => '/api/v1/mobile/cases', isRight: hasOwnCase },
  'GET /api/v1/mobile/cases/{uuid}': {
    by: 'patient',
    path: (caller) => `/api/v1/mobile/cases/${caller.case}`,
    isRight: hasOwnCase,
  },
  'POST /api/v1/backoffice/cases/next-case': {
    by: 'physician',
    path: () => '/api/v1/backoffice/cases/next-case',
    json: {},
    isRight: (text) => text.includes('"status":"in_review"') && text.includes('"resumed":false'),
    // No case of the seed is in Spanish, so that nothing is taken instead.
    undo: { current: 'release', languages: ['es'] },
  },
};

/**
 * Sends each request to both sides in turns.
 * @returns a line for each: p50 and p95 in ms on both sides, and the ratio of the p95, large to small.
 */
export async function compareLatency(small: Side, large: Side): Promise<string[]> {
  const sides = await Promise.all(
    [small, large].map(async (side) => ({
      ...side,
      callers: { patient: await callersOf(side, 'patient'), physician: await callersOf(side, 'physician') },
    })),
  );
  const lines: string[] = [];
  for (const [name, timed] of Object.entries(requests)) {
    const taken = sides.map((): number[] => []);
    for (let i = -WARM_UP; i < REQUESTS; i += 1) {
      for (const [side, { url, superuserUrl, callers }] of sides.entries()) {
        const { caller, token } = callers[timed.by](i);
        const target = new URL(timed.path(caller), url);
        const startedAt = performance.now();
        const reply = await send(target, token, timed.json);
        const text = await reply.text();
        if (i >= 0) taken[side]?.push(performance.now() - startedAt);
        if (reply.status !== 200 || !timed.isRight(text, caller)) {
          throw new Error(`${name} answered ${reply.status}: ${text}`);
        }
        // What a physician has put back, that one is not offered again.
        if (timed.undo !== undefined && i % 10 === 0) await query(superuserUrl, 'DELETE FROM case_skips');
        if (timed.undo !== undefined) await (await send(target, token, timed.undo)).arrayBuffer();
      }
    }
    const [lesser = [], greater = []] = taken.map((latencies) => latencies.toSorted((a, b) => a - b));
    const at = (percent: number) => [percentile(lesser, percent), percentile(greater, percent)] as const;
    const [small50, large50] = at(50);
    const [small95, large95] = at(95);
    lines.push(
      `${name}: p50 ${small50.toFixed(2)} and ${large50.toFixed(2)} ms, p95 ${small95.toFixed(2)} and ` +
        `${large95.toFixed(2)} ms, × ${(large95 / small95).toFixed(2)}`,
    );
  }
  return lines;
}

async function send(target: URL, token: string, json?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${token}` };
  if (json === undefined) return await fetch(target, { headers });
  return await fetch(target, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
}

/** Accounts of the default tenant whose sessions are open, each with a token that the app accepts. */
async function callersOf({ superuserUrl, secret }: Side, role: Caller['role']) {
  const found = (await query(
    superuserUrl,
    `SELECT u.uuid AS user, s.uuid AS session, u.role,
       (SELECT r.uuid FROM request_records r WHERE r.tenant_id = 1 AND r.account_user_id = u.id LIMIT 1) AS case
     FROM users u JOIN sessions s ON s.user_id = u.id
     WHERE u.tenant_id = 1 AND u.role = $1 AND s.revoked_at IS NULL AND s.idle_expires_at > now() + interval '1 hour'
     ORDER BY random() LIMIT ${REQUESTS}`,
    [role],
  )) as Caller[];
  if (found.length === 0) throw new Error(`No ${role} of the default tenant has an open session.`);
  const tokens = createAccessTokens({ current: secret });
  const now = new Date();
  const callers = found.map((caller) => {
    const claims = { sub: caller.user, sid: caller.session, role, tenantId: 1 } as const;
    return { caller, token: tokens.sign(claims, now) };
  });
  return (i: number) => {
    const caller = callers.at(i % callers.length);
    if (caller === undefined) throw new Error('unreachable');
    return caller;
  };
}
