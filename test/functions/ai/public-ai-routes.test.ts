import { beforeEach, describe, expect, test } from 'vitest';
import {
  createTenant,
  freshAddress,
  from,
  register,
  simultaneously,
  tenantRows,
} from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { skinPhoto } from '../../support/images.ts';
import { aiRoutes, bodyOf, recordedCalls, recordedEvents } from './ai-requests.ts';

// PUBLIC_AI_ROUTES=true: callers without a token may ask, in the tenant that they name.

const app = await testApp({ env: { PUBLIC_AI_ROUTES: 'true', TRUSTED_PROXY_HOPS: '2' } });
const clinic = await createTenant(app, 'clinic');
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });
beforeEach(() => app.ai.reset());

let requests = 0;
const nextId = () => `public-${(requests += 1)}`;

describe('without a token', () => {
  test.each(aiRoutes)('%s answers, and is recorded without a user in the default tenant', async (route) => {
    const id = nextId();
    const reply = await app.request(`/api/ai/${route}`, {
      json: bodyOf(route),
      headers: { 'x-request-id': id },
    });
    expect(reply.status).toBe(200);
    expect(await recordedCalls(app, id)).toMatchObject([{ kind: route, outcome: 'ok', user_id: null }]);
    expect(await recordedEvents(app, id)).toMatchObject([
      { action: `ai_${route}`, actor_kind: 'anonymous', actor_user_id: null },
    ]);
  });

  test('a diagnosis answers, and is recorded without a user', async () => {
    const id = nextId();
    const parts = [imagePart(photo), anamnesisPart()];
    const reply = await app.request('/api/diagnosis', upload(parts, { headers: { 'x-request-id': id } }));
    expect(reply.status).toBe(200);
    expect(await recordedCalls(app, id)).toMatchObject([{ kind: 'diagnosis', user_id: null }]);
  });

  test('a required verified address does not bind them, which is a warning at the start', async () => {
    const strict = await anotherInstance(app, { REQUIRE_VERIFIED_EMAIL: 'true' });
    const parts = [imagePart(photo), anamnesisPart()];
    expect((await strict.request('/api/diagnosis', upload(parts))).status).toBe(200);
    const warnings = strict.output.filter((line) => line.includes('configuration_contradicts_itself'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"key":"REQUIRE_VERIFIED_EMAIL"');
    const other = await anotherInstance(app, { REQUIRE_VERIFIED_EMAIL: 'true', PUBLIC_AI_ROUTES: 'false' });
    expect(other.output.filter((line) => line.includes('configuration_contradicts_itself'))).toEqual([]);
  });

  test('query or header name the tenant', async () => {
    const ids = [nextId(), nextId()];
    const send = (query: string, headers: Record<string, string>) =>
      app.request(`/api/ai/red_flags${query}`, { json: {}, headers });
    expect((await send('?tenant=clinic', { 'x-request-id': ids[0] ?? '' })).status).toBe(200);
    expect((await send('', { 'x-request-id': ids[1] ?? '', 'x-tenant': 'clinic' })).status).toBe(200);
    const text = 'SELECT tenant_id FROM ml_diagnosis_results WHERE request_id = ANY($1)';
    expect(await tenantRows(app, text, [ids], clinic)).toEqual([
      { tenant_id: clinic },
      { tenant_id: clinic },
    ]);
    expect(await tenantRows(app, text, [ids])).toEqual([]);
  });

  test('an unknown tenant is 404, and the AI service is not called', async () => {
    const reply = await app.request('/api/ai/red_flags?tenant=nowhere', { json: {} });
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ code: 'tenant_not_found' });
    expect(app.ai.calls).toEqual([]);
  });

  test('stored photos are not visible', async () => {
    const imageUrl = '/api/common/images/0198a0a0-0000-7000-8000-000000000000';
    const reply = await app.request('/api/ai/image_validity', { json: { imageUrl } });
    expect(reply.status).toBe(404);
    expect(app.ai.calls).toEqual([]);
  });
});

test('with a token the caller is its user in its tenant, regardless of query and header', async () => {
  const { access_token: token } = await register(app, { tenant: 'clinic' });
  const id = nextId();
  const reply = await app.request('/api/ai/red_flags?tenant=default', {
    json: {},
    token,
    headers: { 'x-request-id': id },
  });
  expect(reply.status).toBe(200);
  const text = 'SELECT user_id FROM ml_diagnosis_results WHERE request_id = $1';
  expect(await tenantRows(app, text, [id], clinic)).toEqual([{ user_id: expect.any(Number) }]);
});

test('an invalid token is refused instead of ignored', async () => {
  const reply = await app.request('/api/ai/red_flags', { json: {}, token: 'not a token' });
  expect(reply.status).toBe(401);
  expect(app.ai.calls).toEqual([]);
});

test('calls without a token from one network are limited: 429 with a correct Retry-After; accounts and other networks are not affected', async () => {
  const here = from('10.210.1.7');
  const ask = (headers: Record<string, string>, token?: string) =>
    app.request('/api/ai/red_flags', { json: {}, headers, ...(token !== undefined && { token }) });
  const statuses: number[] = [];
  // What is refused counts, too: it costs us as much.
  for (let batch = 0; batch < 15; batch++) {
    const replies = await simultaneously(20, (index) =>
      index % 2 === 0
        ? ask(here)
        : app.request('/api/ai/triage', { json: { unknown: true }, headers: from('10.210.1.8') }),
    );
    statuses.push(...replies.map(({ status }) => status));
  }
  expect(new Set(statuses)).toEqual(new Set([200, 422]));
  app.ai.reset();
  const parts = [imagePart(photo), anamnesisPart()];
  for (const refused of [
    await ask(here),
    await app.request('/api/ai/image_validity', { json: bodyOf('image_validity'), headers: here }),
    await app.request('/api/ai/next_question', { json: {}, headers: here }),
    await app.request('/api/diagnosis', upload(parts, { headers: here })),
  ]) {
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 'rate_limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(300);
  }
  expect(app.ai.calls).toEqual([]);
  expect((await ask(from(freshAddress()))).status).toBe(200);
  const { access_token: token } = await register(app);
  expect((await ask(here, token)).status).toBe(200);
});

test('a caller without a token is counted, and refused, before the body is read', async () => {
  const prefix = from('10.210.3.7');
  const json = { 'content-type': 'application/json', ...prefix };
  const send = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = json) =>
    app.request('/api/ai/image_validity', { method: 'POST', body, headers });
  const refusals: number[] = [];
  // Bodies that never get past the parser count as well: that is what makes them useless to send.
  for (let batch = 0; batch < 15; batch++) {
    const replies = await simultaneously(20, () => send('[['));
    refusals.push(...replies.map(({ status }) => status));
  }
  expect(new Set(refusals)).toEqual(new Set([400]));
  const malformed = await send('[[');
  expect(malformed.status).toBe(429);
  expect((await send('text', { 'content-type': 'text/plain', ...prefix })).status).toBe(429);
  expect((await send(new Uint8Array(21 * 1024 * 1024))).status).toBe(429);
  const form = upload([imagePart(photo)], { headers: prefix });
  expect((await app.request('/api/diagnosis', form)).status).toBe(429);
});
