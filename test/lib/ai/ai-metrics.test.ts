import type { Attributes, Meter } from '@opentelemetry/api';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAiClient } from '../../../src/lib/ai/ai-client.ts';
import { createAiMetrics } from '../../../src/lib/ai/ai-metrics.ts';
import { deadlineIn } from '../../../src/lib/ai/deadline.ts';
import { createLog } from '../../../src/lib/telemetry/log.ts';
import { afterwards } from '../../support/cleanup.ts';
import { fakeAi, json, text } from '../../support/fake-ai.ts';

// A reader in place of a real one: what was measured, by instrument and attributes.
const sums = new Map<string, number>();
const observe =
  (name: string) =>
  (value: number, attributes: Attributes = {}) => {
    const key = [name, ...Object.values(attributes)].join(' ');
    // Of durations only the number is of interest here.
    sums.set(key, (sums.get(key) ?? 0) + (name.endsWith('duration') ? 1 : value));
  };
const instrument = (name: string) => ({ add: observe(name), record: observe(name) });
const meter = { createCounter: instrument, createUpDownCounter: instrument, createHistogram: instrument };
const metrics = createAiMetrics({ getMeter: () => meter as unknown as Meter });

test('calls by outcome, retries, calls in flight and open breakers are counted', async () => {
  const ai = await fakeAi();
  const client = createAiClient({
    url: ai.url,
    log: createLog(() => undefined),
    breakerPauseMs: 500,
    metrics,
  });
  afterwards(() => client.close());
  const ask = () =>
    client
      .post('triage', { json: {} }, z.object({ ok: z.boolean() }), {
        requestId: 'r',
        traceparent: 't',
        language: 'en',
        deadline: deadlineIn(5000),
      })
      .catch(() => undefined);

  ai.on('triage', text('', 503), json({ ok: true }));
  await ask();
  ai.on('triage', json({ ok: 'no' }));
  await ask();
  ai.on('triage', text('', 500));
  for (let count = 0; count < 4; count++) await ask();
  expect(sums.get('dermagate.ai.breaker.open triage')).toBe(1);
  await ask();
  // A probe that fails opens nothing a second time.
  await sleep(550);
  await ask();
  expect(sums.get('dermagate.ai.breaker.open triage')).toBe(1);
  ai.on('triage', json({ ok: true }));
  await sleep(550);
  await ask();

  expect(Object.fromEntries(sums)).toEqual({
    'dermagate.ai.call.duration triage ok': 2,
    'dermagate.ai.call.duration triage invalid_reply': 1,
    'dermagate.ai.call.duration triage unavailable': 5,
    'dermagate.ai.call.duration triage breaker_open': 1,
    'dermagate.ai.call.retries triage': 1,
    'dermagate.ai.calls.in_flight triage': 0,
    'dermagate.ai.breaker.open triage': 0,
  });
});
