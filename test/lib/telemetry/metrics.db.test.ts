import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { freshAddress, from, freshEmail, logIn, me, refresh, register } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { sampleOf } from '../../support/metrics.ts';

const app = await testApp({ alone: true, env: { TRUSTED_PROXY_HOPS: '2' } });

const sample = (name: string, labels?: Record<string, string>) => sampleOf(app, name, labels);

test('GET /metrics is Prometheus text, and exists in development only', async () => {
  const reply = await app.request('/metrics');
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const line = /^(#.*|[a-zA-Z_:][\w:]*(\{[a-zA-Z_]\w*="[^"]*"(,[a-zA-Z_]\w*="[^"]*")*\})? -?[\d.e+-]+|)$/;
  for (const text of (await reply.text()).split('\n')) expect(text).toMatch(line);
  const production = await anotherInstance(app, {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Production',
    BCRYPT_COST: '10',
    SELF_REGISTRATION_ROLES: 'patient',
  });
  expect((await production.request('/metrics')).status).toBe(404);
});

test('every request is counted by function, status class and problem, and by nothing that identifies a person', async () => {
  const { access_token: token, email } = await register(app);
  const count = 'dermagate_http_request_duration_milliseconds_count';
  const ok = { function: 'getMe', status_class: '2xx', code: 'none' };
  const before = await sample(count, ok);
  await me(app, token);
  await me(app, 'nonsense');
  expect(await sample(count, ok)).toBe((Number.isNaN(before) ? 0 : before) + 1);
  expect(await sample(count, { function: 'getMe', status_class: '4xx', code: 'token_invalid' })).toBe(1);
  expect(await sample(count.replace('_count', '_bucket'), { ...ok, le: '+Inf' })).toBe(
    await sample(count, ok),
  );
  const text = await (await app.request('/metrics')).text();
  expect(text).not.toContain(email);
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
});

test('refusals by the throttle, reuse of refresh tokens, connections and the backlog are measured', async () => {
  const address = freshAddress();
  const email = freshEmail();
  for (let attempt = 0; attempt < 11; attempt++) await logIn(app, { email, password: 'wrong one' }, address);
  expect(await sample('dermagate_throttle_refusals_total', { function: 'logIn' })).toBe(1);

  const { refresh_token: token } = await register(app);
  await refresh(app, token);
  await sleep(400); // beyond REFRESH_RACE_SKEW_MS
  await refresh(app, token);
  expect(await sample('dermagate_sessions_refresh_reuse_total')).toBe(1);

  // What follows the end of a session may still use the only connection.
  await expect.poll(() => sample('dermagate_db_connections', { state: 'idle' })).toBeGreaterThan(0);
  expect(await sample('dermagate_db_connections', { state: 'waiting' })).toBe(0);
  expect(await sample('dermagate_passwords_jobs', { state: 'waiting' })).toBe(0);

  await app.db
    .query(`INSERT INTO outbox_messages (consumer, topic, payload) SELECT 'mail', 'nothing.known', '{}'
    FROM generate_series(1, 3)`);
  await app.runTimer('drainOutbox');
  expect(await sample('dermagate_outbox_backlog', { consumer: 'mail' })).toBeGreaterThanOrEqual(3);
});

test('Application Insights gets the metrics, and calls of the AI service below their requests', async () => {
  const received: { path: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
  const insights = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url,
        headers: request.headers,
        body: gunzipSync(Buffer.concat(chunks)).toString(),
      });
      response.end('{"itemsReceived":1,"itemsAccepted":1,"errors":[]}');
    });
  }).listen(0, '127.0.0.1');
  await once(insights, 'listening');
  onTestFinished(() => void insights.close());
  const { port } = insights.address() as AddressInfo;
  const key = '11111111-2222-3333-4444-555555555555';
  const instance = await anotherInstance(app, {
    APPLICATIONINSIGHTS_CONNECTION_STRING: `InstrumentationKey=${key};IngestionEndpoint=http://127.0.0.1:${port}`,
  });
  expect((await instance.request('/healthy', { headers: from(freshAddress()) })).status).toBe(200);
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const { access_token: token } = await register(app);
  const asked = await instance.request('/api/ai/triage', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${trace}-b7ad6b7169203331-01`,
    },
    body: '{}',
  });
  expect(asked.status).toBe(200);
  await instance.stop();
  expect(received.map(({ path }) => path)).toEqual(['/v2.1/track']);
  const items = (received[0]?.body ?? '')
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  // The red flags are asked beside.
  const call = app.ai.calls.find(({ route }) => route === 'triage');
  const [, , span] = String(call?.headers['traceparent']).split('-');
  expect(items).toContainEqual(
    expect.objectContaining({
      tags: {
        'ai.cloud.role': 'dermagate',
        'ai.cloud.roleInstance': hostname(),
        'ai.operation.id': trace,
        // The host's own span, which is neither the caller's nor the call's.
        'ai.operation.parentId': expect.not.stringMatching(`${span}|b7ad6b7169203331`) as string,
      },
      data: {
        baseType: 'RemoteDependencyData',
        baseData: expect.objectContaining({
          id: span,
          name: 'AI triage',
          success: true,
          resultCode: '200',
        }) as object,
      },
    }),
  );
  expect(items).toContainEqual({
    name: 'Microsoft.ApplicationInsights.Metric',
    iKey: key,
    tags: { 'ai.cloud.role': 'dermagate', 'ai.cloud.roleInstance': hostname() },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
    data: {
      baseType: 'MetricData',
      baseData: {
        ver: 2,
        metrics: [
          {
            name: 'dermagate.http.request.duration',
            value: expect.any(Number) as number,
            kind: 'Aggregation',
            count: 1,
          },
        ],
        properties: { function: 'getHealthy', status_class: '2xx', code: 'none' },
      },
    },
  });
});
