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

interface Patient {
  user: string;
  session: string;
  case: string;
}

/** Requests of each kind on each side that count; each for another account where there are so many. */
const REQUESTS = 1000;
const WARM_UP = 50;

const requests: Record<string, (patient: Patient) => string> = {
  'GET /api/v1/mobile/cases': () => '/api/v1/mobile/cases',
  'GET /api/v1/mobile/cases/{uuid}': (patient) => `/api/v1/mobile/cases/${patient.case}`,
};

/**
 * Sends each request to both sides in turns.
 * @returns a line for each: p50 and p95 in ms on both sides, and the ratio of the p95, large to small.
 */
export async function compareLatency(small: Side, large: Side): Promise<string[]> {
  const sides = await Promise.all(
    [small, large].map(async (side) => ({ ...side, ask: await patientsOf(side) })),
  );
  const lines: string[] = [];
  for (const [name, pathFor] of Object.entries(requests)) {
    const taken = sides.map((): number[] => []);
    for (let i = -WARM_UP; i < REQUESTS; i += 1) {
      for (const [side, { url, ask }] of sides.entries()) {
        const { patient, headers } = ask(i);
        const startedAt = performance.now();
        const reply = await fetch(new URL(pathFor(patient), url), { headers });
        const text = await reply.text();
        if (i >= 0) taken[side]?.push(performance.now() - startedAt);
        if (reply.status !== 200 || !text.includes(patient.case)) {
          throw new Error(`${name} answered ${reply.status}: ${text}`);
        }
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

/** Accounts of the default tenant whose sessions are open, with a token that the app accepts. */
async function patientsOf({ superuserUrl, secret }: Side) {
  const patients = (await query(
    superuserUrl,
    `SELECT users.uuid AS user, sessions.uuid AS session, cases.uuid AS case
     FROM users JOIN sessions ON sessions.user_id = users.id
     JOIN request_records AS cases ON cases.account_user_id = users.id
     WHERE users.tenant_id = 1 AND sessions.revoked_at IS NULL AND sessions.idle_expires_at > now() + interval '1 hour'
     ORDER BY random() LIMIT ${REQUESTS}`,
  )) as Patient[];
  if (patients.length === 0)
    throw new Error('No account of the default tenant has an open session and a case.');
  const tokens = createAccessTokens({ current: secret });
  const now = new Date();
  const asked = patients.map((patient) => {
    const claims = { sub: patient.user, sid: patient.session, role: 'patient', tenantId: 1 } as const;
    return { patient, headers: { authorization: `Bearer ${tokens.sign(claims, now)}` } };
  });
  return (i: number) => {
    const found = asked.at(i % asked.length);
    if (found === undefined) throw new Error('unreachable');
    return found;
  };
}
