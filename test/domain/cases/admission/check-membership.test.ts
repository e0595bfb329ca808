import { describe, expect, test } from 'vitest';
import { checkMembership } from '../../../../src/domain/cases/admission/check-membership.ts';
import type { RequestFacts } from '../../../../src/contract/request-facts.ts';
import { createAiClient } from '../../../../src/lib/ai/ai-client.ts';
import { createLog } from '../../../../src/lib/telemetry/log.ts';
import { type Behaviour, cut, fakeAi, hang, json, text } from '../../../support/fake-ai.ts';

const service = await fakeAi();
const lines: string[] = [];
const log = createLog((_level, line) => void lines.push(line), 'debug');
const request = {
  id: 'request-1',
  language: 'he',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
} as RequestFacts;
const patient = { externalId: 'member-zq17', tenant: 'default' };

async function ask(behaviour: Behaviour, wanted: 'none' | 'external_id' | 'service' = 'service') {
  service.reset();
  service.on('membership', behaviour);
  const members = createAiClient({ url: service.url, key: 'a key', log });
  try {
    return await checkMembership({ members, request }, { membership: wanted }, patient);
  } finally {
    await members.close();
  }
}

test('the service is asked by the external id and the tenant', async () => {
  expect(await ask(json({ eligible: true }))).toEqual({ state: 'member' });
  expect(
    service.calls.map(({ route, method, body }) => [route, method, JSON.parse(body.toString())]),
  ).toEqual([['membership', 'POST', { external_id: 'member-zq17', tenant: 'default' }]]);
  expect(service.calls[0]?.headers).toMatchObject({
    authorization: 'Bearer a key',
    'x-request-id': 'request-1',
  });
});

test('its refusal is passed on with its code', async () => {
  expect(await ask(json({ eligible: false, reason: 'lapsed' }))).toEqual({
    state: 'not_a_member',
    reason: 'lapsed',
  });
  expect(await ask(json({ eligible: false }))).toEqual({ state: 'not_a_member', reason: undefined });
});

describe('a service that fails decides nothing', () => {
  test.each<[string, Behaviour]>([
    ['hangs', hang],
    ['cuts the connection', cut],
    ['answers 500', text('down', 500)],
    ['lies', json({ eligible: 'yes' })],
    ['sends a sentence for a code', json({ eligible: false, reason: 'Alice Example has not paid.' })],
  ])('when it %s', async (_title, behaviour) => {
    expect(await ask(behaviour)).toEqual({ state: 'unreachable' });
    expect(lines.join('')).not.toMatch(/zq17|Alice/);
  });
});

describe('it is not asked', () => {
  const unasked = async (wanted: 'none' | 'external_id' | 'service', externalId: string | null) =>
    await checkMembership(
      { members: undefined, request },
      { membership: wanted },
      { externalId, tenant: 'default' },
    );

  test('by a tenant that has no members', async () => {
    expect(await unasked('none', null)).toEqual({ state: 'member' });
  });

  test('by a tenant for which an external id is enough', async () => {
    expect(await ask(hang, 'external_id')).toEqual({ state: 'member' });
    expect(service.calls).toEqual([]);
    expect(await unasked('external_id', null)).toEqual({ state: 'not_a_member' });
  });

  test('about a patient without an external id', async () => {
    expect(await unasked('service', null)).toEqual({ state: 'not_a_member' });
  });

  test('where there is none: an external id is enough', async () => {
    expect(await unasked('service', 'x')).toEqual({ state: 'member' });
  });
});
