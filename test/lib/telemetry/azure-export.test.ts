import { ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import type { Credential } from '../../../src/lib/db/entra-token.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import { exportToAzure } from '../../../src/lib/telemetry/azure-export.ts';
import { createMeters } from '../../../src/lib/telemetry/meters.ts';
import { collectSpans } from '../../../src/lib/telemetry/span-collector.ts';

/** What the service answers; with 206 it has taken all but these. `text` replaces its body. */
type Answer = {
  status: number;
  errors?: { index: number; statusCode: number; message: string }[];
  text?: string;
};

type Item = {
  name: string;
  tags: Record<string, string>;
  data: { baseType: string; baseData: { metrics?: { name: string; value: number; count: number }[] } };
};

async function setUp(openCredential?: () => Promise<Credential>, sendWithinMs?: number) {
  const state = {
    answer: { status: 200 } as Answer,
    hold: Promise.resolve(),
    authorizations: [] as (string | undefined)[],
    batches: [] as Item[][],
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      state.authorizations.push(request.headers.authorization);
      const lines = gunzipSync(Buffer.concat(chunks)).toString().split('\n');
      const { status, errors = [], text } = state.answer;
      if (status < 300) state.batches.push(lines.map((line) => JSON.parse(line) as Item));
      const counts = { itemsReceived: lines.length, itemsAccepted: lines.length - errors.length };
      const reply = () => response.writeHead(status).end(text ?? JSON.stringify({ ...counts, errors }));
      void state.hold.then(reply);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const meters = createMeters();
  const spans = collectSpans();
  const lines: string[] = [];
  const { port } = server.address() as AddressInfo;
  const azure = exportToAzure({
    meters,
    spans,
    role: 'func-dermagate',
    instance: 'machine-1',
    connectionString: `InstrumentationKey=k;IngestionEndpoint=http://127.0.0.1:${port}/`,
    log: createLog((_level, line) => void lines.push(line)),
    openCredential,
    ...(sendWithinMs !== undefined && { sendWithinMs }),
  });
  onTestFinished(async () => {
    await azure.close();
    server.close();
  });
  const last = () => (state.batches.at(-1) ?? []).flatMap(({ data }) => data.baseData.metrics ?? []);
  return { state, azure, meter: meters.getMeter('test'), tracer: spans.getTracer('test'), last, lines };
}

test('each flush sends the change since the previous one', async () => {
  const { state, azure, meter, last } = await setUp();
  const histogram = meter.createHistogram('took');
  const counter = meter.createCounter('happened');
  const level = meter.createUpDownCounter('open');
  histogram.record(10);
  histogram.record(20);
  counter.add(2);
  level.add(3);
  await azure.flush();
  expect(last()).toEqual([
    { name: 'took', value: 30, kind: 'Aggregation', count: 2 },
    { name: 'happened', value: 2, kind: 'Measurement', count: 1 },
    { name: 'open', value: 3, kind: 'Measurement', count: 1 },
  ]);
  counter.add(5);
  await azure.flush();
  expect(last().map(({ name, value }) => [name, value])).toEqual([
    ['happened', 5],
    ['open', 3],
  ]);
  level.add(-3);
  await azure.flush();
  await azure.flush();
  expect(last().map(({ name, value }) => [name, value])).toEqual([['open', 0]]);
  expect(state.batches).toHaveLength(3);
});

test('a failed flush is repeated with the next one, and the app keeps running', async () => {
  const { state, azure, meter, last, lines } = await setUp();
  const counter = meter.createCounter('happened');
  counter.add(1);
  state.answer = { status: 503 };
  await azure.flush();
  expect(lines.join()).toContain('telemetry_not_sent');
  state.answer = { status: 200 };
  counter.add(1);
  await azure.flush();
  expect(last().map(({ value }) => value)).toEqual([2]);
});

test('with a credential it signs in for Azure Monitor', async () => {
  const scopes: string[] = [];
  const { state, azure, meter } = await setUp(async () => ({
    async getToken(scope: string) {
      scopes.push(scope);
      return { token: 'entra', expiresOnTimestamp: 0 };
    },
  }));
  meter.createCounter('happened').add(1);
  await azure.flush();
  expect(state.authorizations).toEqual(['Bearer entra']);
  expect(scopes).toEqual(['https://monitor.azure.com//.default']);
});

test('a token that does not come holds up one flush only', async () => {
  const signals: (AbortSignal | undefined)[] = [];
  let opened = 0;
  const { state, azure, meter, last, lines } = await setUp(async () => {
    opened += 1;
    return {
      getToken: (_scope, { abortSignal } = {}) => {
        signals.push(abortSignal);
        if (opened === 1) return new Promise<never>(() => undefined);
        return Promise.resolve({ token: 'entra', expiresOnTimestamp: 0 });
      },
    };
  }, 1000);
  meter.createCounter('happened').add(1);
  await azure.flush();
  expect(lines.join()).toContain('telemetry_not_sent');
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
  await azure.flush();
  expect(state.authorizations).toEqual(['Bearer entra']);
  expect(last().map(({ value }) => value)).toEqual([1]);
});

test('a call is shown below the request that it was made for, failed or not', async () => {
  const { state, azure, tracer } = await setUp();
  const parent = { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8), traceFlags: 1 };
  const attributes = { 'server.address': 'ai.example', 'url.full': 'https://ai.example/triage' };
  const below = trace.setSpanContext(ROOT_CONTEXT, parent);
  tracer.startSpan('AI triage', { attributes }, below).setAttribute('http.response.status_code', 200).end();
  tracer
    .startSpan('AI triage', { attributes }, below)
    .setAttribute('error.type', 'timeout')
    .setStatus({ code: SpanStatusCode.ERROR })
    .end();
  await azure.flush();
  const shared = {
    name: 'AI triage',
    type: 'HTTP',
    target: 'ai.example',
    data: 'https://ai.example/triage',
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    duration: expect.stringMatching(/^0\.00:00:00\.\d{3}$/),
  };
  expect(state.batches.at(-1)?.map(({ name, tags, data }) => ({ name, tags, ...data }))).toMatchObject(
    [
      { success: true, resultCode: '200' },
      { success: false, resultCode: 'timeout' },
    ].map((told) => ({
      name: 'Microsoft.ApplicationInsights.RemoteDependency',
      tags: {
        'ai.cloud.role': 'func-dermagate',
        'ai.cloud.roleInstance': 'machine-1',
        'ai.operation.id': parent.traceId,
        'ai.operation.parentId': parent.spanId,
      },
      baseType: 'RemoteDependencyData',
      baseData: { ver: 2, ...shared, ...told },
    })),
  );
});

test('calls that could not be sent are sent with the next flush, once', async () => {
  const { state, azure, tracer } = await setUp();
  state.answer = { status: 503 };
  tracer.startSpan('AI triage').end();
  await azure.flush();
  state.answer = { status: 200 };
  await azure.flush();
  await azure.flush();
  expect(state.batches.map((items) => items.length)).toEqual([1]);
});

test('a partly accepted batch resends rejected items, except those that can never be accepted', async () => {
  const { state, azure, meter, tracer, last, lines } = await setUp();
  const [taken, refused] = [meter.createCounter('taken'), meter.createCounter('refused')];
  taken.add(1);
  refused.add(2);
  for (const name of ['later', 'never', 'fine']) tracer.startSpan(name).end();
  const refusal = (index: number, statusCode: number) => ({ index, statusCode, message: 'no' });
  state.answer = { status: 206, errors: [refusal(1, 429), refusal(2, 503), refusal(3, 400)] };
  await azure.flush();
  expect(state.batches[0]).toHaveLength(5);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', event: 'telemetry_refused', items: 3, status: 429 },
  ]);

  state.answer = { status: 200 };
  refused.add(5);
  await azure.flush();
  expect(last()).toMatchObject([{ name: 'refused', value: 7 }]);
  const told = state.batches[1]?.slice(1).map(({ data }) => data.baseData);
  expect(told).toMatchObject([{ name: 'later' }]);
});

test('a partly accepted batch whose list of rejected items cannot be read is reported, and not sent twice', async () => {
  const { state, azure, meter, tracer, lines } = await setUp();
  const counter = meter.createCounter('happened');
  counter.add(1);
  tracer.startSpan('AI triage').end();
  state.answer = { status: 206, text: '<html>' };
  await azure.flush();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'warn', event: 'telemetry_refusals_unreadable' },
  ]);
  state.answer = { status: 200 };
  await azure.flush();
  expect(state.batches).toHaveLength(1);
  counter.add(2);
  await azure.flush();
  expect(state.batches.at(-1)).toMatchObject([{ data: { baseData: { metrics: [{ value: 2 }] } } }]);
});

test('the last flush waits for the running one: nothing is sent twice', async () => {
  const { state, azure, meter } = await setUp();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.hold = promise;
  meter.createCounter('happened').add(7);
  void azure.flush();
  const closed = azure.close();
  await expect.poll(() => state.batches.length).toBe(1);
  resolve();
  await closed;
  expect(state.batches).toHaveLength(1);
});
