// A dangerous patient who answers in another honest way keeps the urgency. The test knows the questionnaire and no rule.
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { exceptions } from './exceptions.ts';
import { faultsOf } from './faults.ts';
import { inProcessGateway } from './in-process.ts';
import { type Transformation, transformations } from './transformations.ts';
import { tryVignette } from './try-vignette.ts';
import { isHarmless, isMoreUrgent, readVignettes, type Vignette } from './vignette.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'test', 'vignettes');
const vignettes = ['known', 'further', 'third', 'third-examples'].flatMap((name) =>
  readVignettes(join(folder, `${name}.jsonl`)),
);
const dangerous = vignettes.filter((vignette) => !isHarmless(vignette));
const gateway = inProcessGateway('en');

/** The same patient in other words; undefined where the words do not fit or hide the one answer that shows the danger. */
function inOtherWords(vignette: Vignette, { name, hides, apply }: Transformation): Vignette | undefined {
  if (hides !== undefined && vignette.must.mayDependOn?.includes(hides)) return undefined;
  if (exceptions.some((it) => it.transformation === name && it.ids.includes(vignette.id))) return undefined;
  const anamnesis = apply(vignette.anamnesis as PartialAnamnesis);
  return anamnesis && { ...vignette, id: `${vignette.id}, ${name}`, anamnesis };
}

const inWords = (vignette: Vignette) => transformations.flatMap((it) => inOtherWords(vignette, it) ?? []);

describe('in other words', () => {
  test('no dangerous patient falls below the need', async () => {
    const falls: string[] = [];
    let tried = 0;
    for (const vignette of dangerous.flatMap(inWords)) {
      const { priority } = await gateway.triage(vignette.anamnesis as PartialAnamnesis);
      tried += 1;
      if (isMoreUrgent(vignette.must.minTriage, priority)) falls.push(`${vignette.id}: ${priority}`);
    }
    expect(falls).toEqual([]);
    expect(tried).toBeGreaterThan(3000);
  }, 120_000);

  // Every walk of each takes minutes; each patient walks in one of the ways here, and each way is walked by several.
  test.each(['willing', 'skipping'] as const)(
    'no %s patient falls or is contradicted in the intake',
    async (channel) => {
      const walked = dangerous.flatMap((vignette, index) => {
        const ways = inWords(vignette);
        const way = ways[(index * 7) % ways.length];
        return way === undefined ? [] : [way];
      });
      expect(walked.length).toBeGreaterThan(170);
      const faults: string[] = [];
      for (const vignette of walked) {
        const trial = await tryVignette(gateway, new Uint8Array(), vignette, channel);
        for (const { kind, why } of faultsOf(trial)) {
          if (kind !== 'over-triaged') faults.push(`${vignette.id}: ${kind}, ${why}`);
        }
      }
      expect(faults).toEqual([]);
    },
    240_000,
  );
});

test('every exception names a patient whom the transformation changes and a medical reason', async () => {
  for (const { transformation, ids, reason, onlyInIntake = false } of exceptions) {
    const known = transformations.find(({ name }) => name === transformation);
    expect(reason).toMatch(/.{30,}/);
    for (const id of ids) {
      const vignette = dangerous.find((it) => it.id === id);
      const anamnesis = known?.apply((vignette?.anamnesis ?? {}) as PartialAnamnesis);
      expect({ id, anamnesis }).toMatchObject({ anamnesis: expect.anything() });
      if (onlyInIntake) continue;
      const { priority } = await gateway.triage(anamnesis ?? {});
      expect({ id, falls: isMoreUrgent(vignette?.must.minTriage ?? 'self_care', priority) }).toEqual({
        id,
        falls: true,
      });
    }
  }
});
