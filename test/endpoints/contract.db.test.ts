import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownExamples } from '../../dev/tools/generate/keep-examples.ts';
import { currentDocument, readDocumented } from '../../dev/tools/openapi/documented-examples.ts';
import { seedDemo } from '../../src/cli/seed.ts';
import { endpoints } from '../../src/endpoints.ts';
import { problemsOf } from '../../src/lib/http/endpoint-problems.ts';
import { tenantRows } from '../support/accounts.ts';
import { anotherInstance } from '../support/another-instance.ts';
import { referenceAi, testApp } from '../support/app.ts';
import { type AiRoute, fakeAi, GOOD_REPLIES, hang, json, text } from '../support/fake-ai.ts';
import { tcpProxy } from '../support/tcp-proxy.ts';
import { webPubSub } from '../support/web-pubsub.ts';
import { createContractRun } from './contract-run.ts';
import { baseOf, derivedRefusals } from './derived.ts';
import { crowdOfAiCalls, floodPasswords } from './crowds.ts';
import { readScenarios } from './read-scenarios.ts';
import type { Ask } from './scenario.ts';
import { freshNetwork, type Scope } from './stage.ts';

// What each scenario says, requested of one app and two more instances of it: every problem code that an endpoint
// declares, the shape of every reply, the rows of the event log. What is answered is the OpenAPI document's examples.

const scenarios = await readScenarios();
const named = scenarios.map((scenario) => [scenario.name, scenario] as const);
const documented = new Map(readDocumented().map((each) => [each.operation, each]));
/** Where `npm run generate -- --record` reads what the operations have answered, instead of comparing it. */
const { RECORD_EXAMPLES: recordInto } = process.env;

const ai = await fakeAi({ otherwise: await referenceAi() });
const { connectionString } = await webPubSub();
const app = await testApp({
  ai,
  env: { TRUSTED_PROXY_HOPS: '2', AI_TIMEOUT_MS: '60000', WEBPUBSUB_CONNECTION_STRING: connectionString },
});
const database = new URL(app.databaseUrl);
const line = await tcpProxy({ host: database.hostname, port: Number(database.port) });
const away = Object.assign(new URL(app.databaseUrl), { port: String(line.port) }).href;
const [strict, withoutDatabase] = await Promise.all([
  anotherInstance(app, {
    PUBLIC_AI_ROUTES: 'true',
    SELF_REGISTRATION_ROLES: 'patient',
    REQUIRE_VERIFIED_EMAIL: 'true',
    AI_TIMEOUT_MS: '500',
    BCRYPT_COST: '14',
    LIMIT_HASH_WAIT_MS: '100',
    WEBPUBSUB_CONNECTION_STRING: '',
  }),
  anotherInstance(app, { DATABASE_URL: away }),
]);
line.reset();
await seedDemo(app.databaseUrl, app.env);
const sql = async (statement: string) => void (await tenantRows(app, statement));
await sql(
  `UPDATE users SET is_verified = true, email_verified_at = now() WHERE email LIKE '%@dermagate.example'`,
);

const run = createContractRun(
  app,
  {
    request: app.request,
    output: app.output,
    drainOutbox: () => app.runTimer('drainOutbox'),
    sql,
  },
  { usual: app, strict, withoutDatabase },
  scenarios,
  currentDocument(),
);

test('every endpoint has one scenario, at its own path', () => {
  expect(scenarios.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining([...endpoints]));
  expect(scenarios).toHaveLength(endpoints.length);
});

describe.each(named)('%s', (_name, scenario) => {
  const { endpoint, good, mistakes = {}, refusals = {} } = scenario;

  test.each(Object.entries(good))('answers: %s', async (name, ask) => {
    await run.good(scenario, name, ask);
  });

  const setUp = (ask: Ask) => run.stage.setUp(ask, scenario.as);
  const setUpOnce = (ask: Ask) => run.stage.setUpOnce(scenario.name, ask, scenario.as);
  const mistaken = Object.values(mistakes).map((ask) => ({ ...ask, prepare: setUpOnce }));
  // What is in the way may be something that the request itself uses up.
  const refusing = Object.values(refusals).map((ask) => ({ ...ask, prepare: setUp }));
  test.each([...mistaken, ...refusing])('$code: $title', async ({ code, pointers, on, prepare, ...ask }) => {
    const scope = await prepare(ask);
    const named = await run.refused(
      scenario,
      code,
      ask,
      scope,
      on && { on: on === 'strict' ? strict : withoutDatabase },
    );
    if (pointers !== undefined) expect(named.toSorted()).toEqual(pointers.toSorted());
  });

  const derived = derivedRefusals(scenario);
  if (derived.length > 0) {
    test.each(derived)('$code, as its declaration says', async (refusal) => {
      await run.derived(scenario, refusal);
    });
  }

  const withSetUp = Object.values(good).filter(({ after }) => after !== undefined);
  if (endpoint.auth !== 'public' && withSetUp.length > 0) {
    test.each(withSetUp)('nothing of it for another tenant: $title', async (ask) => {
      const scope = await setUpOnce(ask);
      const token = await run.strangerTo(scope.as);
      const { status, text, sent } = await run.send(scenario, ask, scope, { token });
      if (status === 404 || status === 400) return;
      const own = [...scope.replies.values()].map(({ body }) => JSON.stringify(body)).join();
      // Bulk replies repeat the ids that they were asked for.
      const asked = JSON.stringify(sent?.value ?? null);
      const ids = text.match(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g) ?? [];
      expect(ids.filter((id) => own.includes(id) && !asked.includes(id))).toEqual([]);
    });
  }

  const { audit } = endpoint;
  if (audit !== 'none') {
    const rows = async (ids: readonly string[]) => {
      const query = `SELECT action, outcome FROM event_logs_${audit.category} WHERE request_id = ANY($1)`;
      return (await app.db.query<{ action: string; outcome: string }>(query, [ids])).rows;
    };
    test('writes its declared event for each success', async () => {
      const { succeeded } = run.of(scenario);
      const written = (await rows(succeeded)).filter(
        ({ action, outcome }) => action === audit.success && outcome === 'success',
      );
      expect(written.length).toBeGreaterThanOrEqual(succeeded.length);
    });
    if (scenario.unauditedRefusal === undefined) {
      test('writes its declared event for a refusal', async () => {
        const written = await rows(run.of(scenario).refused);
        expect(written).toContainEqual({
          action: audit.refusal,
          outcome: expect.stringMatching(/denied|failure/),
        });
      });
    }
  }
  if (endpoint.auth === 'admin-level' || endpoint.auth === 'physician-level') {
    test('writes an event for a caller whose role may not', async () => {
      const { rows } = await app.db.query(
        'SELECT action, outcome FROM event_logs_auth WHERE request_id = ANY($1)',
        [run.of(scenario).refused],
      );
      expect(rows).toContainEqual({ action: 'authz_fail', outcome: 'denied' });
    });
  }
});

const having = (code: string) =>
  named.filter(
    ([, { endpoint, never = {} }]) => problemsOf(endpoint).includes(code as never) && !(code in never),
  );

describe('rate_limited, after too many requests', () => {
  const limited = having('rate_limited').flatMap(([name, scenario]) => [
    ...(scenario.endpoint.auth === 'any-unless-public-ai'
      ? [[name, scenario, 'without a token'] as const]
      : []),
    ...(scenario.endpoint.quota !== undefined || scenario.endpoint.auth !== 'any-unless-public-ai'
      ? [[name, scenario, 'of one caller'] as const]
      : []),
  ]);
  test.each(limited)('%s', async (_name, scenario, whose) => {
    const ask = scenario.counted ?? baseOf(scenario);
    const scope = await run.stage.setUp(ask, scenario.as);
    const sending = {
      address: freshNetwork(),
      ...(whose === 'without a token' && { token: null, on: strict }),
    };
    await run.send(scenario, ask, scope, sending);
    await app.db.query('UPDATE throttle_counters SET attempts = 1000000');
    await run.refused(scenario, 'rate_limited', ask, scope, sending);
    await app.db.query('DELETE FROM throttle_counters');
  });
});

const routes = Object.keys(GOOD_REPLIES).filter((route): route is AiRoute => route !== 'healthy');

// An answer that is none says nothing about the service; a failure opens the circuit breaker, and comes last.
describe.each([
  ['ai_invalid_reply', json({ nonsense: true })],
  ['ai_timeout', hang],
  ['ai_unavailable', text('no', 500)],
] as const)('%s', (code, behaviour) => {
  beforeAll(() => routes.forEach((route) => ai.on(route, behaviour)));
  afterAll(() => ai.reset());
  const asking = having(code);
  test.skipIf(asking.length === 0).each(asking)('%s', async (_name, scenario) => {
    ai.reset();
    const ask = baseOf(scenario);
    const scope = await run.stage.setUp(ask, scenario.as);
    routes.forEach((route) => ai.on(route, behaviour));
    await run.refused(scenario, code, ask, scope, { on: strict });
  });
});

describe('busy', () => {
  const asksAi = ([, { endpoint }]: (typeof named)[number]) =>
    problemsOf(endpoint).includes('ai_unavailable');
  const busy = having('busy');
  describe('when the AI service has as many calls in flight as it may', () => {
    const crowd = crowdOfAiCalls(run, ai, scenarios);
    test.each(busy.filter(asksAi))('%s', async (_name, scenario) => {
      await crowd.fillFor(scenario);
      const ask = baseOf(scenario);
      await run.refused(scenario, 'busy', ask, await run.stage.setUp(ask, scenario.as));
    });
    afterAll(crowd.answer);
  });

  describe('while all hashing threads are taken', () => {
    const hashing = busy.filter((each) => !asksAi(each));
    const flood = floodPasswords(strict);
    const prepared = new Map<string, Scope>();
    // Before the flood, which then needs to last no longer than the requests themselves.
    beforeAll(async () => {
      for (const [name, scenario] of hashing)
        prepared.set(name, await run.stage.setUp(baseOf(scenario), scenario.as));
    });
    afterAll(flood.untilOver);
    test.each(hashing)('%s', async (name, scenario) => {
      const ask = baseOf(scenario);
      const prepare = async () => {
        const scope = prepared.get(name) ?? (await run.stage.setUp(ask, scenario.as));
        prepared.delete(name);
        return scope;
      };
      await flood.whileFull(prepare, async (scope) => {
        await run.refused(scenario, 'busy', ask, scope, { on: strict });
      });
    });
  });
});

describe('unavailable, without a database', () => {
  test.each(having('unavailable'))('%s', async (_name, scenario) => {
    const ask = baseOf(scenario);
    const scope = await run.stage.setUpOnce(scenario.name, ask, scenario.as);
    await run.refused(scenario, 'unavailable', ask, scope, { on: withoutDatabase });
  });
});

describe('internal_error, without tables', () => {
  const failing = having('internal_error');
  const prepared = new Map<string, { ask: Ask; scope: Scope }>();
  beforeAll(async () => {
    for (const [name, scenario] of failing) {
      const scope = await run.stage.setUpOnce(name, baseOf(scenario), scenario.as);
      prepared.set(name, { scope, ask: await run.frozen(baseOf(scenario), scope) });
    }
    await app.db.query('ALTER SCHEMA public RENAME TO elsewhere');
  });
  test.each(failing)('%s', async (name, scenario) => {
    const { ask, scope } = prepared.get(name) as { ask: Ask; scope: Scope };
    await run.refused(scenario, 'internal_error', ask, scope);
  });
});

describe('at the end', () => {
  test.each(named)(
    '%s has answered every code it declares, but those that it never can',
    (_name, scenario) => {
      const { requested } = run.of(scenario);
      const never = Object.keys(scenario.never ?? {});
      expect([...requested].toSorted()).toEqual(
        problemsOf(scenario.endpoint).filter((code) => !never.includes(code)),
      );
      expect(problemsOf(scenario.endpoint)).toEqual(expect.arrayContaining(never));
    },
  );

  test.each(named)('%s has answered as docs/openapi.json shows, or is recorded', (name, scenario) => {
    const examples = run.of(scenario).recording.examples();
    if (recordInto !== undefined) {
      writeFileSync(join(recordInto, `${name}.json`), JSON.stringify(examples));
      return;
    }
    const hint = `If the change is meant: npm run generate -- --record ${name}`;
    expect(examples, hint).toEqual(ownExamples(scenario, documented.get(name)));
  });
});
