import { beforeEach, describe, expect, test } from 'vitest';
import { createTenant, register, tenantRows } from '../../support/accounts.ts';
import { testApp } from '../../support/app.ts';
import { anamnesisPart, imagePart, upload } from '../../support/diagnosis.ts';
import { skinPhoto } from '../../support/images.ts';
import { aiRoutes, bodyOf, recordedCalls, recordedEvents } from './ai-requests.ts';

// PUBLIC_AI_ROUTES=true: callers without a token may ask, in the tenant that they name.

const app = await testApp({ env: { PUBLIC_AI_ROUTES: 'true' } });
const clinic = await createTenant(app, 'clinic');
const photo = await skinPhoto({ width: 64, height: 48, format: 'jpeg' });
beforeEach(() => app.ai.reset());

let requests = 0;
const nextId = () => `public-${(requests += 1)}`;

describe('without a token', () => {
  test.each(aiRoutes)('%s answers, recorded as of nobody in the default tenant', async (route) => {
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

  test('a diagnosis answers, recorded as of nobody', async () => {
    const id = nextId();
    const parts = [imagePart(photo), anamnesisPart()];
    const reply = await app.request('/api/diagnosis', upload(parts, { headers: { 'x-request-id': id } }));
    expect(reply.status).toBe(200);
    expect(await recordedCalls(app, id)).toMatchObject([{ kind: 'diagnosis', user_id: null }]);
  });

  test('the tenant is the one that query or header names', async () => {
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

  test('a tenant that does not exist is 404, and nothing is asked', async () => {
    const reply = await app.request('/api/ai/red_flags?tenant=nowhere', { json: {} });
    expect(reply.status).toBe(404);
    expect(await reply.json()).toMatchObject({ code: 'tenant_not_found' });
    expect(app.ai.calls).toEqual([]);
  });

  test('stored photos of others stay closed', async () => {
    const imageUrl = '/api/common/images/0198a0a0-0000-7000-8000-000000000000';
    const reply = await app.request('/api/ai/image_validity', { json: { imageUrl } });
    expect(reply.status).toBe(404);
    expect(app.ai.calls).toEqual([]);
  });
});

test('with a token the caller is its user, in its tenant, whatever else is named', async () => {
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

test('a token that is not good is refused, not taken for none', async () => {
  const reply = await app.request('/api/ai/red_flags', { json: {}, token: 'not a token' });
  expect(reply.status).toBe(401);
  expect(app.ai.calls).toEqual([]);
});
