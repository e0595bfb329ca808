import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase, type Db } from '../../../src/lib/db/connect.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import {
  backoffSeconds,
  claimMessages,
  countDue,
  enqueueClaimed,
  findStuckMessages,
  lockClaimed,
  settle,
} from '../../../src/lib/outbox/claims.ts';
import { deadMessages } from '../../../src/lib/outbox/dead-messages.ts';
import { enqueue } from '../../../src/lib/outbox/enqueue.ts';
import {
  ClaimLost,
  type ConsumerWork,
  type Deliver,
  NotYet,
  type OutboxMessage,
  Undeliverable,
} from '../../../src/lib/outbox/message.ts';
import { createOutbox, type Outbox } from '../../../src/lib/outbox/outbox.ts';
import { createOutboxMetrics } from '../../../src/lib/telemetry/resource-metrics.ts';
import { createTenant } from '../../support/accounts.ts';
import { afterwards } from '../../support/cleanup.ts';
import { testDatabase } from '../../support/database.ts';

const { url, db: owner } = await testDatabase();
const db = connect();
const lines: string[] = [];
const log = createLog((_level, line) => void lines.push(line), 'debug');

beforeEach(async () => {
  lines.length = 0;
  await owner.query('TRUNCATE outbox_messages');
});

/** What a worker's process has of its own. */
/** Milliseconds pass for the calling test without a wait, on the clock by which claims end. */
function passingTime(): (ms: number) => void {
  const now = performance.now.bind(performance);
  let passedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
  onTestFinished(() => clock.mockRestore());
  return (ms) => void (passedMs += ms);
}

function connect(): Db {
  const connected = connectDatabase({ url, poolMax: 8, onIdleError: () => undefined });
  afterwards(async () => connected.pool.end());
  return connected.db;
}

function worker(
  deliver: Deliver,
  using: Db = db,
  topics?: readonly string[],
  more: Partial<ConsumerWork> = {},
): Outbox {
  const mail = { deliver, ...(topics !== undefined && { topics }), ...more };
  const outbox = createOutbox({ db: using, log, consumers: { mail } });
  afterwards(outbox.close);
  return outbox;
}

async function leave(count: number): Promise<void> {
  for (let n = 0; n < count; n++) await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n } });
}

const stored = async () => (await owner.query('SELECT * FROM outbox_messages ORDER BY id')).rows;
const waited = () => owner.query('UPDATE outbox_messages SET available_at = now()');
/** As if the worker that claimed had died a minute ago. */
const abandon = () => owner.query(`UPDATE outbox_messages SET locked_until = now() - interval '1 second'`);
const ofATenant = () =>
  owner.query('UPDATE outbox_messages SET tenant_id = (SELECT id FROM tenants LIMIT 1)');
const numberOf = ({ payload }: OutboxMessage) => (payload as { n: number }).n;

describe('delivery', () => {
  test('what was due is measured, and again when it has been delivered', async () => {
    const metrics = createOutboxMetrics();
    const measured = vi.spyOn(metrics, 'backlog');
    const mail = { deliver: async () => undefined };
    const outbox = createOutbox({ db, log, consumers: { mail }, metrics });
    afterwards(outbox.close);
    await leave(3);
    await outbox.drain();
    expect(measured.mock.calls).toEqual([
      ['mail', 3],
      ['mail', 0],
    ]);
    await outbox.drain();
    expect(measured.mock.calls.slice(2)).toEqual([['mail', 0]]);
  });

  test('each message that was committed is delivered once and then gone', async () => {
    const seen: number[] = [];
    await leave(45);
    const drained = await worker(async (message) => void seen.push(numberOf(message))).drain();
    expect(drained).toEqual({ delivered: 45, failed: 0, dead: 0 });
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 45 }, (_, n) => n));
    expect(await stored()).toEqual([]);
  });

  test('what a worker cannot do is left untouched for one that can', async () => {
    const seen: string[] = [];
    const see = async ({ topic }: OutboxMessage) => void seen.push(topic);
    await leave(25);
    await enqueue(db, { consumer: 'mail', topic: 'follow_up', payload: {} });
    expect(await worker(see, db, []).drain()).toEqual({ delivered: 0, failed: 0, dead: 0 });
    expect(await worker(see, db, ['follow_up']).drain()).toEqual({ delivered: 1, failed: 0, dead: 0 });
    expect(seen).toEqual(['follow_up']);
    expect(new Set((await stored()).map(({ topic, attempts }) => `${topic} ${attempts}`))).toEqual(
      new Set(['greeting 0']),
    );
    expect((await worker(see).drain()).delivered).toBe(25);
  });

  test('what is rolled back leaves no message', async () => {
    const undone = db.transaction().execute(async (tx) => {
      await enqueue(tx, { consumer: 'mail', topic: 'greeting', payload: {} });
      throw new Error('undo');
    });
    await expect(undone).rejects.toThrow('undo');
    expect(await stored()).toEqual([]);
  });

  test('a second message of the same dedupe key is not taken', async () => {
    await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n: 1 }, dedupeKey: 'once' });
    await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n: 2 }, dedupeKey: 'once' });
    expect((await stored()).map(({ payload }) => payload)).toEqual([{ n: 1 }]);
  });

  test('without a key of its own every message gets one', async () => {
    await leave(2);
    const keys = (await stored()).map(({ dedupe_key: key }) => key as string);
    expect(new Set(keys).size).toBe(2);
  });

  test('three workers at once deliver each message once', async () => {
    const seen: number[] = [];
    await leave(90);
    const slow: Deliver = async (message) => {
      await sleep(5);
      seen.push(numberOf(message));
    };
    const workers = [worker(slow, connect()), worker(slow, connect()), worker(slow, connect())];
    const drained = await Promise.all(workers.map((each) => each.drain()));
    expect(seen.length).toBe(90);
    expect(new Set(seen).size).toBe(90);
    expect(drained.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(90);
  });

  test('at most twenty are claimed and five in flight at a time', async () => {
    let underWay = 0;
    let most = 0;
    let claimed = 0;
    await leave(30);
    const counting: Deliver = async () => {
      most = Math.max(most, (underWay += 1));
      const { rows } = await owner.query('SELECT FROM outbox_messages WHERE locked_until > now()');
      claimed = Math.max(claimed, rows.length);
      underWay -= 1;
    };
    await worker(counting).drain();
    expect(most).toBeLessThanOrEqual(5);
    expect(most).toBeGreaterThan(1);
    expect(claimed).toBeLessThanOrEqual(20);
    expect(claimed).toBeGreaterThan(5);
  });
});

describe('failure', () => {
  test('waits grow from 10 s fourfold to an hour', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(backoffSeconds);
    expect(waits).toEqual([10, 40, 160, 640, 2560, 3600, 3600, 3600, 3600]);
  });

  test('a consumer may name its own waits', async () => {
    await leave(1);
    const failing = async () => {
      throw new Error('not yet');
    };
    const consumers = { mail: { deliver: failing, retryAfterSeconds: (attempts: number) => attempts * 300 } };
    const outbox = createOutbox({ db, log, consumers });
    afterwards(outbox.close);
    await outbox.drain();
    await waited();
    await outbox.drain();
    expect(lines.map((line) => JSON.parse(line).againInSeconds)).toEqual([300, 600]);
  });

  test('a failed message waits and does not hold up others', async () => {
    await leave(3);
    const outbox = worker(async (message) => {
      if (numberOf(message) === 1) throw Object.assign(new Error('down'), { code: 'ECONNREFUSED' });
    });
    expect(await outbox.drain()).toEqual({ delivered: 2, failed: 1, dead: 0 });
    const { rows } = await owner.query(
      'SELECT attempts, locked_until, last_error_code, dead_at, available_at - now() AS wait FROM outbox_messages',
    );
    expect(rows).toMatchObject([
      { attempts: 1, locked_until: null, last_error_code: 'ECONNREFUSED', dead_at: null },
    ]);
    expect(rows[0].wait.seconds).toBeGreaterThan(5);
    expect(await outbox.drain()).toEqual({ delivered: 0, failed: 0, dead: 0 });
  });

  test('after ten tries a message is dead, which is an error line, and is not tried again', async () => {
    await leave(1);
    let tries = 0;
    const outbox = worker(async () => {
      tries += 1;
      throw new Error('never');
    });
    for (let round = 1; round <= 9; round++) {
      expect(await outbox.drain()).toEqual({ delivered: 0, failed: 1, dead: 0 });
      await waited();
    }
    expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(await outbox.drain()).toEqual({ delivered: 0, failed: 0, dead: 1 });
    await waited();
    expect(await outbox.drain()).toEqual({ delivered: 0, failed: 0, dead: 0 });
    expect(tries).toBe(10);
    expect((await stored())[0]).toMatchObject({ attempts: 10, dead_at: expect.any(Date) });
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error');
    expect(errors).toMatchObject([{ event: 'outbox_message_dead', topic: 'greeting', attempt: 10 }]);
  });

  test('a message that can never succeed is dead at its first try', async () => {
    await leave(2);
    const outbox = worker(async (message) => {
      if (numberOf(message) === 0) throw new Undeliverable('bad_payload');
    });
    expect(await outbox.drain()).toEqual({ delivered: 1, failed: 0, dead: 1 });
    expect(await stored()).toMatchObject([
      { attempts: 1, last_error_code: 'bad_payload', dead_at: expect.any(Date) },
    ]);
  });

  test('a message that is to wait is due when it says, however often, and none of it counts as an attempt', async () => {
    await leave(1);
    const until = new Date(Date.now() + 3_600_000);
    const outbox = worker(async () => {
      throw new NotYet(until);
    });
    for (let n = 0; n < 12; n += 1) {
      expect(await outbox.drain()).toEqual({ delivered: 0, failed: 0, dead: 0 });
      expect(await stored()).toMatchObject([{ attempts: 0, available_at: until, locked_until: null }]);
      await waited();
    }
  });

  test.each([
    [900, 900],
    [1, 10],
  ])('an error that asks for %i s waits for %i: no less than any other', async (asked, granted) => {
    await leave(1);
    const before = Date.now();
    await worker(async () => {
      throw Object.assign(new Error('throttled'), { retryAfterSeconds: asked });
    }).drain();
    const [{ available_at: due }] = (await stored()) as [{ available_at: Date }];
    expect(due.getTime() - before).toBeGreaterThanOrEqual(granted * 1000);
  });

  test('a failure that its consumer settles leaves no message, and what it writes stands with that', async () => {
    await leave(2);
    await ofATenant();
    const outbox = worker(
      async () => {
        throw new Undeliverable('rejected_550');
      },
      db,
      undefined,
      {
        async acceptFailure(tx, message, code) {
          if (numberOf(message) === 1) return false;
          await enqueue(tx, { consumer: 'analysis', topic: 'told', payload: { code } });
          return true;
        },
      },
    );
    expect(await outbox.drain()).toEqual({ delivered: 0, failed: 0, dead: 2 });
    expect(
      (await stored()).map(({ topic, payload, dead_at: dead }) => [topic, payload, dead !== null]),
    ).toEqual([
      ['greeting', { n: 1 }, true],
      ['told', { code: 'rejected_550' }, false],
    ]);
    const levels = lines.map((line) => JSON.parse(line)).map(({ level, event }) => `${level} ${event}`);
    expect(levels.toSorted()).toEqual(['error outbox_message_dead', 'warn outbox_message_given_up']);
  });

  test.each([
    ['fails', () => new Error('away')],
    ['is to wait', () => new NotYet(new Date(Date.now() + 300))],
  ])('a message that %s for less than a minute waits for no timer', async (_, reason) => {
    await leave(1);
    let tries = 0;
    const deliver: Deliver = async () => {
      if ((tries += 1) === 1) throw reason();
    };
    await worker(deliver, db, undefined, { retryAfterSeconds: () => 0.3 }).drain();
    await expect.poll(stored).toEqual([]);
    expect(tries).toBe(2);
  });

  test('one that cannot even be given up holds up no other, and the run ends after all of them', async () => {
    await leave(20);
    await ofATenant();
    let delivered = 0;
    const acceptFailure = async () => await Promise.reject(new Error('no event can be written'));
    const outbox = worker(
      async (message) => {
        if (numberOf(message) === 0) throw new Undeliverable('bad_payload');
        await sleep(20);
        delivered += 1;
      },
      db,
      undefined,
      { acceptFailure },
    );
    await expect(outbox.drain()).rejects.toThrow('no event can be written');
    expect(delivered).toBe(19);
    expect(await stored()).toMatchObject([{ attempts: 1, dead_at: null, locked_until: expect.any(Date) }]);
  });

  test('all that is dead is listed once, however much', async () => {
    await owner.query(
      `INSERT INTO outbox_messages (consumer, topic, payload, dedupe_key, dead_at)
       SELECT 'mail', 'greeting', '{}', 'dead ' || n, now() FROM generate_series(1, 501) AS n`,
    );
    const ids: number[] = [];
    for await (const { id } of deadMessages(db)) {
      ids.push(id);
      if (ids.length > 501) break;
    }
    expect(ids).toEqual((await stored()).map(({ id }) => Number(id)));
  });

  test('neither the table nor the log keeps the words of an error', async () => {
    await leave(1);
    const outbox = worker(async () => {
      throw Object.assign(new Error('550 alice@example.org unknown'), { code: '550 alice@example.org' });
    });
    await outbox.drain();
    expect((await stored())[0].last_error_code).toBe('unexpected');
    expect(lines.join('\n')).not.toContain('alice');
    expect(lines.join('\n')).toContain('outbox_delivery_failed');
  });
});

describe('claims', () => {
  test('rows that another worker is claiming are skipped, without waiting', async () => {
    await leave(5);
    const [first, second] = await db
      .transaction()
      .execute(async (tx) => [await claimMessages(tx, 'mail', 3), await claimMessages(db, 'mail', 20)]);
    expect([first?.length, second?.length]).toEqual([3, 2]);
    expect(new Set([...(first ?? []), ...(second ?? [])].map(({ id }) => id)).size).toBe(5);
  });

  test('what a worker has claimed is not due until the claim expires', async () => {
    await leave(3);
    await claimMessages(db, 'mail', 2);
    expect(await countDue(db, 'mail')).toBe(1);
    await abandon();
    expect(await countDue(db, 'mail')).toBe(3);
  });

  test('the longest waiting come first', async () => {
    await leave(4);
    await owner.query(
      `UPDATE outbox_messages SET available_at = now() - interval '1 hour' WHERE payload->>'n' = '2'`,
    );
    const [oldest] = await claimMessages(db, 'mail', 1);
    expect(numberOf(oldest as OutboxMessage)).toBe(2);
  });
});

describe('a message whose writer makes the first attempt', () => {
  const message = { consumer: 'mail', topic: 'greeting', payload: { n: 1 }, dedupeKey: 'mine' } as const;

  const write = (now = new Date()) => db.transaction().execute((tx) => enqueueClaimed(tx, message, 15, now));
  const settled = (claimed: OutboxMessage | undefined) =>
    db.transaction().execute((tx) => settle(tx, claimed as OutboxMessage));

  test('belongs to the writer until the claim ends, then to any worker', async () => {
    const now = new Date();
    const written = await write(now);
    expect(written).toMatchObject({ attempt: 1, dedupeKey: 'mine', payload: { n: 1 } });
    expect(await claimMessages(db, 'mail', 20, undefined, new Date(now.getTime() + 14_000))).toEqual([]);
    const [taken] = await claimMessages(db, 'mail', 20, undefined, new Date(now.getTime() + 15_000));
    expect(taken).toMatchObject({ id: written?.id, attempt: 2 });
    const locked = (claimed: OutboxMessage | undefined) =>
      db.transaction().execute((tx) => lockClaimed(tx, claimed as OutboxMessage));
    await expect(locked(written)).rejects.toThrow(ClaimLost);
    await locked(taken);
    await expect(settled(written)).rejects.toThrow(ClaimLost);
    await settled(taken);
    expect(await stored()).toEqual([]);
  });

  test('is written once', async () => {
    expect(await write()).toBeDefined();
    expect(await write()).toBeUndefined();
  });
});

describe('workers that vanish', () => {
  test('messages that wait for too long are counted by consumer: however many mails wait, the analyses are seen', async () => {
    const now = new Date();
    const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
    const add = (consumer: string, count: number, minutes: number) =>
      owner.query(
        `INSERT INTO outbox_messages (consumer, topic, payload, available_at, dedupe_key)
         SELECT $1, 'waiting', '{}', $2, $1 || $4::text || n FROM generate_series(1, $3::integer) AS n`,
        [consumer, minutesAgo(minutes), count, minutes],
      );
    await add('mail', 1500, 20);
    await add('mail', 1, 60);
    await add('analysis', 2, 15);
    await add('push', 3, 5);
    expect(await findStuckMessages(db, minutesAgo(10))).toEqual([
      { consumer: 'analysis', count: 2, since: minutesAgo(15) },
      { consumer: 'mail', count: 1000, since: minutesAgo(60) },
    ]);
  });

  test('a claim lasts as long as the deliveries of its consumer may, a minute at least', async () => {
    const claimOf = async (more: Partial<ConsumerWork>): Promise<number> => {
      await owner.query('TRUNCATE outbox_messages');
      await leave(1);
      let seconds = 0;
      const deliver = async () => {
        const [{ locked_until: until }] = (await stored()) as [{ locked_until: Date }];
        seconds = (until.getTime() - Date.now()) / 1000;
      };
      await worker(deliver, db, undefined, more).drain();
      return Math.round(seconds / 10) * 10;
    };
    expect(await claimOf({})).toBe(60);
    expect(await claimOf({ deliverySeconds: 20 })).toBe(60);
    expect(await claimOf({ deliverySeconds: 130 })).toBe(170);
  });

  test('a claim is respected while it is valid and taken over after it expired', async () => {
    await leave(1);
    expect((await claimMessages(db, 'mail', 20)).length).toBe(1);
    const outbox = worker(async () => undefined);
    expect((await outbox.drain()).delivered).toBe(0);
    await abandon();
    expect((await outbox.drain()).delivered).toBe(1);
  });

  test('a message that ends every worker that tries it is dead after ten', async () => {
    await leave(1);
    for (let n = 0; n < 10; n++) {
      expect((await claimMessages(db, 'mail', 20)).length).toBe(1);
      await abandon();
    }
    let touched = false;
    const outbox = worker(async () => void (touched = true));
    expect(await outbox.drain()).toEqual({ delivered: 0, failed: 0, dead: 1 });
    expect(touched).toBe(false);
    expect((await stored())[0]).toMatchObject({ last_error_code: 'worker_lost', dead_at: expect.any(Date) });
  });

  /** A worker that takes so long that another one has the message by the time it ends. */
  function lateWorker(end: () => void, more: Partial<ConsumerWork> = {}): Outbox {
    const deliver = async () => {
      await abandon();
      await claimMessages(db, 'mail', 20);
      end();
    };
    return worker(deliver, db, undefined, more);
  }

  test.each([
    ['fails', () => new Error('late'), 1],
    ['cannot deliver it', () => new Undeliverable('late'), 1],
    ['leaves it for later', () => new NotYet(new Date(Date.now() + 3_600_000)), 0],
  ])(
    'a worker that wakes up late and %s does not undo what its successor wrote',
    async (_, reason, failed) => {
      await leave(1);
      await ofATenant();
      const acceptFailure = vi.fn(async () => true);
      const late = lateWorker(
        () => {
          throw reason();
        },
        { acceptFailure },
      );
      expect(await late.drain()).toEqual({ delivered: 0, failed, dead: 0 });
      expect(acceptFailure).not.toHaveBeenCalled();
      expect(await stored()).toMatchObject([
        { attempts: 2, last_error_code: null, dead_at: null, locked_until: expect.any(Date) },
      ]);
    },
  );

  test('what a worker that wakes up late has delivered is not delivered again', async () => {
    await leave(1);
    expect(await lateWorker(() => undefined).drain()).toEqual({ delivered: 1, failed: 0, dead: 0 });
    expect(await stored()).toEqual([]);
  });

  test('what its worker cannot begin in time is released unattempted, and a run ends by itself', async () => {
    await leave(20);
    const letPass = passingTime();
    const outbox = worker(async () => letPass(41_000));
    // One in each claim, since the others would begin after 40 s of it; and after 100 s none is claimed.
    expect(await outbox.drain()).toEqual({ delivered: 3, failed: 0, dead: 0 });
    const left = (await stored()).map(({ attempts, locked_until: until }) => [attempts, until]);
    expect(left).toEqual(Array.from({ length: 17 }, () => [0, null]));
  });
});

test('what a worker releases too late stays with the worker that has claimed it meanwhile', async () => {
  await leave(6);
  const letPass = passingTime();
  let claiming: Promise<void> | undefined;
  async function claimElsewhere(): Promise<void> {
    await abandon();
    await claimMessages(db, 'mail', 20);
    letPass(61_000);
  }
  const outbox = worker(() => (claiming ??= claimElsewhere()));
  // Five are in flight, and the sixth cannot begin any more.
  expect(await outbox.drain()).toEqual({ delivered: 5, failed: 0, dead: 0 });
  expect(await stored()).toMatchObject([{ attempts: 2, locked_until: expect.any(Date) }]);
});

describe('work in the database', () => {
  /** A consumer whose work is a row here, settled in one transaction with its message. */
  const working =
    (fault?: 'before_commit'): Deliver =>
    async (message) => {
      await db.transaction().execute(async (tx) => {
        await settle(tx, message);
        await enqueue(tx, { consumer: 'mail', topic: 'follow_up', payload: {} });
        if (fault !== undefined) throw new Error(fault);
      });
    };
  const topics = async () => (await stored()).map(({ topic }) => topic as string);

  test('is done with the removal of its message or not at all', async () => {
    await leave(1);
    await worker(working('before_commit')).drain();
    expect(await topics()).toEqual(['greeting']);
    await waited();
    const once: Deliver = async (message) => {
      if (message.topic === 'greeting') await working()(message);
    };
    expect(await worker(once).drain()).toEqual({ delivered: 2, failed: 0, dead: 0 });
  });

  test('is undone when another worker has taken the message over', async () => {
    await leave(1);
    const [mine] = await claimMessages(db, 'mail', 1);
    await abandon();
    const [theirs] = await claimMessages(db, 'mail', 1);
    await working()(theirs as OutboxMessage);
    await expect(working()(mine as OutboxMessage)).rejects.toThrow(ClaimLost);
    expect(await topics()).toEqual(['follow_up']);
  });

  test('a message that a delivery leaves is delivered by the same run', async () => {
    const seen: string[] = [];
    await leave(1);
    const drained = await worker(async (message) => {
      seen.push(message.topic);
      if (message.topic === 'greeting') await working()(message);
    }).drain();
    expect(seen).toEqual(['greeting', 'follow_up']);
    expect(drained.delivered).toBe(2);
  });

  test.each(['succeeds', 'fails'])(
    'a message that a delivery leaves to another consumer waits for no timer, also where the delivery %s',
    async (end) => {
      const seen: string[] = [];
      const analysis: ConsumerWork = {
        leavesMessages: true,
        // A retry of its own would deliver the other message as well.
        retryAfterSeconds: () => 3600,
        async deliver() {
          // The other consumer has done what there was, and finds nothing more in this run.
          await vi.waitUntil(async () => (await stored()).length === 1, { interval: 5 });
          for (let query = 0; query < 50; query++) await owner.query('SELECT');
          await enqueue(db, { consumer: 'mail', topic: 'found', payload: {} });
          if (end === 'fails') throw new Error('not all of it');
        },
      };
      const mail: ConsumerWork = { deliver: async ({ topic }) => void seen.push(topic) };
      const outbox = createOutbox({ db, log, consumers: { analysis, mail } });
      afterwards(outbox.close);
      await enqueue(db, { consumer: 'analysis', topic: 'due', payload: {} });
      await leave(1);
      await outbox.drain();
      await expect.poll(() => seen).toEqual(['greeting', 'found']);
    },
  );
});

describe('a kick', () => {
  test('has what was committed before it delivered within five seconds', async () => {
    const seen: number[] = [];
    const outbox = worker(async (message) => void seen.push(numberOf(message)));
    for (let n = 0; n < 3; n++) {
      await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n } });
      outbox.kick();
    }
    await expect.poll(() => seen.toSorted((a, b) => a - b)).toEqual([0, 1, 2]);
  });

  test('works again after it has worked', async () => {
    const seen: number[] = [];
    const outbox = worker(async (message) => void seen.push(numberOf(message)));
    for (const n of [0, 1, 2]) {
      await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n } });
      outbox.kick();
      await expect.poll(() => seen.length).toBe(n + 1);
    }
  });

  test('for later delivers what is due by then', async () => {
    const seen: number[] = [];
    const outbox = worker(async (message) => void seen.push(numberOf(message)));
    await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n: 0 } }, new Date(Date.now() + 500));
    outbox.kick(0.5);
    await expect.poll(() => seen).toEqual([0]);
  });

  test('during a run is not lost', async () => {
    const seen: number[] = [];
    const outbox = worker(async (message) => {
      seen.push(numberOf(message));
      await sleep(300);
    });
    await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n: 0 } });
    outbox.kick();
    await expect.poll(() => seen, { interval: 10 }).toEqual([0]);
    await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: { n: 1 } });
    outbox.kick();
    await expect.poll(() => seen).toEqual([0, 1]);
  });

  test('comes to nothing but a log line while the database is gone', async () => {
    const nowhere = connectDatabase({
      url: 'postgresql://nobody@127.0.0.1:1/none',
      poolMax: 1,
      onIdleError: () => undefined,
    });
    const outbox = worker(async () => undefined, nowhere.db);
    outbox.kick();
    await expect.poll(() => lines.join('\n')).toContain('outbox_drain_failed');
    await expect(outbox.drain()).rejects.toThrow();
  });
});

describe('closing', () => {
  test('waits for running deliveries and releases the rest unattempted', async () => {
    await leave(20);
    const begun: number[] = [];
    const outbox = worker(async (message) => {
      begun.push(numberOf(message));
      await sleep(200);
    });
    const run = outbox.drain();
    await expect.poll(() => begun.length, { interval: 5 }).toBe(5);
    await outbox.close();
    expect((await run).delivered).toBe(5);
    const { rows } = await owner.query(
      'SELECT count(*)::int AS count, max(attempts) AS attempts, count(locked_until)::int AS locked FROM outbox_messages',
    );
    expect(rows).toEqual([{ count: 15, attempts: 0, locked: 0 }]);
  });

  test('ends kicks that have not begun', async () => {
    const outbox = worker(async () => undefined);
    await leave(1);
    outbox.kick();
    await outbox.close();
    outbox.kick();
    await sleep(1200);
    expect((await stored()).length).toBe(1);
  });
});

test('the app may read and change messages of every tenant: tenant_id is data here', async () => {
  const tenantId = await createTenant({ db: owner }, 'one');
  await enqueue(db, { consumer: 'mail', topic: 'greeting', payload: {}, tenantId });
  const { rows: found } = await sql<{ tenant_id: number }>`SELECT tenant_id FROM outbox_messages`.execute(db);
  expect(found).toEqual([{ tenant_id: tenantId }]);
});
