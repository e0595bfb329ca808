import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { wholeAnswer } from '../endpoints/answers.ts';
import { tenantRows } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import {
  faultsOfHands,
  type Happening,
  type Interval,
  judgeOrder,
  lockedMs,
  type Waiting,
  type Worker,
} from '../support/drain-model.ts';
import { endLease, newPhysician, type Physician, queueCases, takeNext } from '../support/queue-stage.ts';
import { histogramOf, readWaits } from '../support/waiting-times.ts';

// Physicians answer all cases of a queue while others put cases back or forget them, and the app is killed again and again.

/** `npm run soak`: 5,000 cases and 32 physicians. */
const total = Number(process.env['DRAINED_CASES'] ?? 100);
const physicianCount = Number(process.env['DRAINING_PHYSICIANS'] ?? 6);
/** At most, seconds apart. */
const kills = Number(process.env['DRAIN_KILLS'] ?? 2);
const killEveryMs = total > 1000 ? 6000 : 1200;
const arrivals = 20;
/** Of all cases: those that arrive while the app is killed. On a fast machine few takes are far from a kill. */
const amidKills = 0.6;

/** Each lane has two of them: what one puts back another takes. */
const profiles = [
  { languages: ['en'], pool: null, general: true },
  { languages: ['he'], pool: null, general: true },
  { languages: ['en', 'he'], pool: 'hand-clinic', general: true },
  { languages: ['en', 'he'], pool: 'hand-clinic', general: false },
  { languages: ['en', 'he'], pool: 'feet', general: true },
  { languages: ['en', 'he'], pool: 'feet', general: false },
];

const app = await testApp();
const random = (below: number) => Math.floor(Math.random() * below);

/** What one of the simulated physicians is, does and has done. */
interface Simulated extends Worker, Physician {
  number: number;
}

test(
  'a drained queue: no case twice in hand, none lost, none answered twice, each physician the first of the own lanes',
  { timeout: 60_000 + total * 600 },
  async () => {
    const physicians = await Promise.all(Array.from({ length: physicianCount }, simulate));
    const cases: Waiting[] = [];
    const requests = new Map<string, Interval>();
    const putBack = new Set<string>();
    const count = { requests: 0, failed: 0, kills: 0, released: 0, forgotten: 0, signedLate: 0 };
    let due = Math.ceil(total * amidKills);
    await arrive(cases, Math.ceil(total / 2));

    const logs: (readonly string[])[] = [];
    async function newVictim() {
      const instance = await anotherInstance(app, { PG_POOL_MAX: '20' }, { process: true });
      logs.push(instance.output);
      return instance;
    }
    let victim = await newVictim();
    const over = new AbortController();
    async function killAgainAndAgain(): Promise<void> {
      while (!over.signal.aborted && count.kills < kills) {
        await sleep(killEveryMs * (0.5 + Math.random()));
        const pid = victim.host.workerPid();
        if (pid === undefined || over.signal.aborted) break;
        process.kill(pid, 'SIGKILL');
        count.kills += 1;
        const dead = victim;
        victim = await newVictim();
        await dead.stop();
      }
      await sleep(lockedMs);
      due = total;
    }

    /** Sends a request and remembers when; undefined where the app died under it. */
    async function send<Answer extends { status: number }>(
      kind: 'next' | 'sign',
      call: (headers: Record<string, string>) => Promise<Answer>,
    ): Promise<Answer | undefined> {
      const id = `${kind}-${(count.requests += 1)}`;
      const from = performance.now();
      const answer = await call({ 'x-request-id': id }).catch(() => undefined);
      const isAnswer = answer !== undefined && ![404, 500, 502, 503].includes(answer.status);
      requests.set(id, { from, to: performance.now(), failed: !isAnswer });
      if (!isAnswer) count.failed += 1;
      return isAnswer ? answer : undefined;
    }

    const next = (me: Simulated, json: object) =>
      send('next', (headers) => takeNext(victim, me, json, { headers }));
    const sign = (me: Simulated, uuid: string) =>
      send('sign', (headers) =>
        victim.request(`/api/v1/backoffice/annotations/${uuid}`, {
          // Enough for every danger.
          json: { ...wholeAnswer, recommended_action: 'call_emergency_services', sign: true },
          token: me.token,
          headers,
        }),
      );

    async function work(me: Simulated): Promise<void> {
      let body: object = {};
      while (!over.signal.aborted) {
        const answer = await next(me, body);
        body = {};
        if (answer === undefined) {
          await sleep(100);
          continue;
        }
        expect(answer.status).toBe(200);
        const uuid = answer.case?.uuid;
        if (uuid === undefined) {
          if (cases.length < due) await arrive(cases, due - cases.length);
          else if (haveArrived(cases) && (await unanswered()) === 0) over.abort();
          await sleep(100);
          continue;
        }
        const mood = random(100);
        if (mood < 10 && !putBack.has(uuid)) {
          putBack.add(uuid);
          count.released += 1;
          body = { current: 'release', release_reason: 'too_complex' };
        } else if (mood < 18) {
          count.forgotten += 1;
          await endLease(app, uuid);
          if (mood < 14) continue;
          await sleep(random(60));
          const late = await sign(me, uuid);
          if (late?.status === 201) count.signedLate += 1;
          else expect([undefined, 409]).toContain(late?.status);
        } else {
          const signed = await sign(me, uuid);
          expect([undefined, 201]).toContain(signed?.status);
          if (cases.length < due && random(total / 2 / arrivals) === 0) {
            await arrive(cases, Math.min(due - cases.length, Math.ceil(total / 2 / arrivals)));
          }
        }
        if (cases.length < due && answer.queue.waiting === 0) await arrive(cases, due - cases.length);
      }
    }

    const killing = killAgainAndAgain();
    const startedAt = performance.now();
    await Promise.all(physicians.map(work));
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    over.abort();
    await killing;
    await victim.stop();

    const events = await tenantRows<Happening & Record<string, unknown>>(
      app,
      `SELECT case_uuid, action, actor_user_id, request_id FROM event_logs WHERE case_uuid = ANY ($1) AND category = 'case'
       ORDER BY id`,
      [cases.map(({ uuid }) => uuid)],
    );
    expect(faultsOfHands(events)).toEqual([]);
    const ends = await tenantRows<{ status: string; final: number; answered: number }>(
      app,
      `SELECT status,
         (SELECT count(*)::int FROM dermatologist_annotations a WHERE a.case_uuid = r.uuid AND a.signed_at IS NOT NULL) AS final,
         (SELECT count(*)::int FROM event_logs e WHERE e.case_uuid = r.uuid AND e.action = 'case_answered') AS answered
       FROM request_records r WHERE uuid = ANY ($1)`,
      [cases.map(({ uuid }) => uuid)],
    );
    expect(ends).toHaveLength(total);
    const wrong = ends.filter(
      (end) => !['answered', 'closed'].includes(end.status) || end.final !== 1 || end.answered !== 1,
    );
    expect(wrong).toEqual([]);
    expect(logs.flat().filter((line) => line.includes('"unexpected_error"'))).toEqual([]);
    const { faults, judged, unjudged } = judgeOrder(cases, physicians, events, requests);
    expect(faults).toEqual([]);
    expect(count.kills).toBeGreaterThan(0);
    // The cases that arrived last were taken beside no killed process: the order was judged.
    expect(judged).toBeGreaterThan(total / 4);
    const figures = JSON.stringify({
      cases: total,
      physicians: physicianCount,
      seconds,
      ...count,
      judged,
      unjudged,
    });
    if (total > 1000) process.stdout.write(`\nDrained: ${figures}\n${histogramOf(await readWaits(app))}\n`);
  },
);

async function simulate(_: unknown, number: number): Promise<Simulated> {
  const { languages, pool, general } = profiles[number % profiles.length] as (typeof profiles)[number];
  const made = await newPhysician(app, { languages, pool, adminSettings: { general_pool: general } });
  const pools = [...(pool === null ? [] : [pool]), ...(general ? ['general'] : [])];
  return { ...made, number, languages, pools };
}

/** Puts `many` more cases into the queue: of three urgency levels, three pools and two languages. */
async function arrive(cases: Waiting[], many: number): Promise<void> {
  const given = Array.from({ length: many }, () => {
    const urgency = random(100);
    return {
      rank: urgency < 4 ? (0 as const) : urgency < 15 ? (1 as const) : (2 as const),
      pool: ['general', 'general', 'hand-clinic', 'feet'][random(4)] as string,
      language: random(3) === 0 ? 'he' : 'en',
      dueIn: random(7 * 24 * 60),
    };
  });
  // In the list before they are in the queue: of two physicians only one lets them arrive.
  const places = given.map((each) => ({ ...each, uuid: '', id: 0, dueAt: 0, since: Infinity }));
  cases.push(...places);
  const uuids = await queueCases(app, given);
  const rows = await tenantRows<{ uuid: string; id: string; due_at: Date }>(
    app,
    'SELECT uuid, id, due_at FROM request_records WHERE uuid = ANY ($1)',
    [uuids],
  );
  const since = performance.now();
  const byUuid = new Map(rows.map((row) => [row.uuid, row]));
  places.forEach((place, index) => {
    const row = byUuid.get(uuids[index] ?? '');
    if (row === undefined) throw new Error('a case has not arrived');
    Object.assign(place, { uuid: row.uuid, id: Number(row.id), dueAt: row.due_at.getTime(), since });
  });
}

/** All of them, and none is only announced. */
const haveArrived = (cases: readonly Waiting[]) =>
  cases.length === total && cases.every(({ since }) => since < Infinity);

async function unanswered(): Promise<number> {
  const [row] = await tenantRows<{ left: number }>(
    app,
    `SELECT count(*)::int AS left FROM request_records WHERE status NOT IN ('answered', 'closed')`,
  );
  return row?.left ?? -1;
}
