// The known vignettes through the gateway's domain and the reference AI service, without HTTP.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultKinds } from './faults.ts';
import { limits, type Result, resultOf } from './figures.ts';
import { inProcessGateway } from './in-process.ts';
import { tryAll } from './try-all.ts';
import { channels } from './try-vignette.ts';
import { readVignettes } from './vignette.ts';

const vignettes = readVignettes(
  join(import.meta.dirname, '..', '..', '..', 'test', 'vignettes', 'known.jsonl'),
);
let result: Result;

beforeAll(async () => {
  result = resultOf(await tryAll(inProcessGateway('en'), new Uint8Array(), vignettes));
});

describe.each(channels)('by %s', (channel) => {
  test.each(faultKinds.filter((kind) => kind !== 'over-triaged'))('no vignette is %s', (kind) => {
    const own = result.faults.filter((fault) => fault.channel === channel && fault.kind === kind);
    expect(own.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  });

  test('at most a tenth of the harmless is over-triaged', () => {
    const own = result.faults.filter((fault) => fault.channel === channel && fault.kind === 'over-triaged');
    const { harmless } = figuresOf(channel);
    expect(own.length, own.map(({ id, why }) => `${id}: ${why}`).join('\n')).toBeLessThanOrEqual(
      harmless * limits.overTriagedShare,
    );
  });
});

describe.each(['willing', 'skipping'] as const)('in the intake of a %s patient', (channel) => {
  test(`emergencies are found by question ${limits.emergencyAtQuestion} (median)`, () => {
    const { emergencyAt } = figuresOf(channel);
    expect(emergencyAt?.median ?? Number.NaN, JSON.stringify(emergencyAt)).toBeLessThanOrEqual(
      limits.emergencyAtQuestion,
    );
  });

  test(`a harmless complaint takes ${limits.harmlessQuestions} questions at most (median)`, () => {
    const { harmlessQuestions } = figuresOf(channel);
    expect(harmlessQuestions?.median ?? Number.NaN, JSON.stringify(harmlessQuestions)).toBeLessThanOrEqual(
      limits.harmlessQuestions,
    );
  });
});

test('all 70 vignettes were tried on every channel, 36 dangerous and 34 harmless', () => {
  expect(result.figures).toMatchObject(channels.map((channel) => ({ channel, vignettes: 70, harmless: 34 })));
});

function figuresOf(channel: (typeof channels)[number]) {
  const own = result.figures.find((figures) => figures.channel === channel);
  if (own === undefined) throw new Error(`No figures of ${channel}.`);
  return own;
}
