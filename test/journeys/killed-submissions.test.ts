import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { register } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { testApp } from '../support/app.ts';
import { anamnesis } from '../support/diagnosis.ts';
import { after, GOOD_REPLIES, json } from '../support/fake-ai.ts';
import { skinPhoto } from '../support/images.ts';
import { storePhoto } from '../support/stored-images.ts';

// The gateway is killed at random points of submissions: each account that got an answer has a case that a physician will see, once.

/** `npm run soak` makes it 200. */
const submissions = Number(process.env['KILLED_SUBMISSIONS'] ?? 6);

const app = await testApp();
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });

interface Patient {
  token: string;
  image: string;
  number: number;
}

/** Each of their own account: no quota, no duplicate. */
async function patient(number: number): Promise<Patient> {
  const { access_token: token } = await register(app);
  const { uuid } = await storePhoto(app, token, photo);
  return { token, image: uuid, number };
}

/** Runs `work` on all items, four at a time. */
async function inLanes<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const waiting = [...items];
  const results: Result[] = [];
  async function lane(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift())
      results.push(await work(item));
  }
  await Promise.all([lane(), lane(), lane(), lane()]);
  return results;
}

test(
  'every submission that was answered is queued once, although the gateway is killed again and again',
  { timeout: 60_000 + submissions * 5000 },
  async () => {
    const patients = await inLanes(
      Array.from({ length: submissions }, (_, number) => number),
      patient,
    );
    // Long enough for a kill to fall into every step.
    for (const route of ['predict_diagnosis', 'red_flags', 'triage', 'image_validity'] as const) {
      app.ai.on(route, after(Math.random() * 150, json(GOOD_REPLIES[route])));
    }
    let victim = await anotherInstance(app, {}, { process: true });
    const over = new AbortController();
    let kills = 0;
    /** A new instance takes the place of each that was killed: the host stops restarting an app that ends too often. */
    async function killAgainAndAgain(): Promise<void> {
      while (!over.signal.aborted) {
        await sleep(20 + Math.random() * 600);
        const pid = victim.host.workerPid();
        if (pid === undefined || over.signal.aborted) return;
        process.kill(pid, 'SIGKILL');
        kills += 1;
        const dead = victim;
        victim = await anotherInstance(app, {}, { process: true });
        await dead.stop();
      }
    }

    /** As an app does on a bad line: again with the same `client_case_id`, until there is an answer. */
    async function submit({ token, image, number }: Patient): Promise<string> {
      const body = {
        client_case_id: `killed-${number}`,
        anamnesis,
        images: [{ name: image }],
        consent: { version: '1', accepted: true },
        submit: true,
      };
      for (;;) {
        const reply = await victim
          .request('/api/v1/mobile/cases/create', { token, json: body })
          .catch(() => undefined);
        if (reply?.status === 201 || reply?.status === 200)
          return ((await reply.json()) as { uuid: string }).uuid;
        expect([undefined, 404, 500, 502, 503]).toContain(reply?.status);
        await sleep(50);
      }
    }

    const killing = killAgainAndAgain();
    const answered = await inLanes(patients, submit);
    over.abort();
    await killing;
    await victim.stop();
    expect(kills).toBeGreaterThan(0);
    expect(new Set(answered).size).toBe(submissions);

    // The claims of the dead end by themselves, within a minute.
    const left = async () => {
      await app.db.query(
        `UPDATE outbox_messages SET locked_until = NULL, available_at = now() WHERE dead_at IS NULL`,
      );
      await app.runTimer('drainOutbox');
      const { rows } = await app.db.query<{ id: number }>(
        `SELECT id FROM outbox_messages WHERE consumer = 'analysis'`,
      );
      return rows.length;
    };
    await expect.poll(left, { timeout: 60_000 }).toBe(0);

    const client = await app.db.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SELECT set_config('app.tenant', '1', true)`);
      const { rows } = await client.query<{
        uuid: string;
        status: string;
        submitted: number;
        queued: number;
      }>(
        `SELECT r.uuid, r.status,
           count(*) FILTER (WHERE e.action = 'case_submitted')::int AS submitted,
           count(*) FILTER (WHERE e.action = 'case_queued')::int AS queued
         FROM request_records r JOIN event_logs e ON e.case_uuid = r.uuid
         WHERE r.client_case_id LIKE 'killed-%' GROUP BY r.uuid, r.status`,
      );
      await client.query('COMMIT');
      expect(rows.map(({ uuid }) => uuid).toSorted()).toEqual(answered.toSorted());
      expect(
        rows.filter(
          ({ status, submitted, queued }) => status !== 'queued' || submitted !== 1 || queued !== 1,
        ),
      ).toEqual([]);
    } finally {
      client.release();
    }
  },
);
