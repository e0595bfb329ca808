// The patients of the third round: thirty from guidelines, and one or more for each kind of fault.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultKinds } from './faults.ts';
import { limits, type Result, resultOf } from './figures.ts';
import { inProcessGateway } from './in-process.ts';
import { tryAll } from './try-all.ts';
import { channels } from './try-vignette.ts';
import { readVignettes } from './vignette.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'vignettes');
const vignettes = ['third.jsonl', 'third-examples.jsonl'].flatMap((name) =>
  readVignettes(join(folder, name)),
);
let result: Result;

beforeAll(async () => {
  result = resultOf(await tryAll(inProcessGateway('en'), new Uint8Array(), vignettes));
});

describe.each(channels)('by %s', (channel) => {
  test.each(faultKinds)('no vignette is %s', (kind) => {
    const own = result.faults.filter((fault) => fault.channel === channel && fault.kind === kind);
    expect(own.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  });

  test('47 dangerous and 8 harmless patients were tried', () => {
    expect(result.figures.find((figures) => figures.channel === channel)).toMatchObject({
      vignettes: 55,
      harmless: 8,
    });
  });
});

test.each(['willing', 'skipping'] as const)(
  `a harmless complaint of a %s patient takes ${limits.harmlessQuestions} questions at most (median of the thirty)`,
  (channel) => {
    const figures = result.figures.find((it) => it.channel === channel);
    const each: Record<string, number> = figures?.harmlessQuestions?.each ?? {};
    const own = Object.entries(each).flatMap(([id, asked]) => (id.startsWith('c') ? [asked] : []));
    expect(own).toHaveLength(5);
    expect(own.toSorted((a, b) => a - b)[2]).toBeLessThanOrEqual(limits.harmlessQuestions);
  },
);

describe.each(['willing', 'skipping'] as const)('in the intake of a %s patient', (channel) => {
  test.each(['q_age', 'q_systemic', 'q_blanching'])('%s is among the first ten where it matters', (id) => {
    const asked = result.intakes.filter(
      (intake) => intake.channel === channel && /^(xC|c07)/.test(intake.id),
    );
    expect(asked.map((intake) => intake.asked.indexOf(id))).toEqual(
      asked.map(() => expect.toSatisfy(isEarly)),
    );
  });
});

const isEarly = (index: number) => index >= 0 && index < 10;
