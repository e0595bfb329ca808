import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis, RedFlags, Triage } from '../../packages/client/src/index.ts';
import { resultOf } from './figures.ts';
import { report } from './report.ts';
import { tryAll } from './try-all.ts';
import { tryVignette } from './try-vignette.ts';
import type { Vignette } from './vignette.ts';
import { endOf, levelOf, oneFlag, questionOf, scriptedGateway, vignetteOf } from './scripted-gateway.ts';

const photo = new Uint8Array();

const says = (flags: RedFlags, priority: Triage['priority']) => ({
  redFlags: () => flags,
  triage: () => levelOf(priority),
});

describe('the bars', () => {
  const harmless = Array.from({ length: 20 }, (_, index): Vignette => ({
    ...vignetteOf({ minTriage: 'self_care', maxTriage: 'routine' }),
    id: `h${index}`,
    anamnesis: { complaint: { impact: index < 2 ? 'severe' : 'mild' } },
  }));
  const bars = async (vignettes: readonly Vignette[], script: Parameters<typeof scriptedGateway>[0]) =>
    resultOf(await tryAll(scriptedGateway(script), photo, vignettes, { concurrency: 3 })).bars;
  const alarmedBy = (impacts: readonly unknown[]) => ({
    triage: ({ complaint }: PartialAnamnesis) =>
      levelOf(impacts.includes(complaint?.impact) ? 'soon_2_weeks' : 'routine'),
  });

  test('let a tenth of the harmless be over-triaged, and no more', async () => {
    const share = async (vignettes: readonly Vignette[]) =>
      (await bars(vignettes, alarmedBy(['severe']))).find(({ name }) => name === 'api: over-triaged');
    expect(await share(harmless)).toMatchObject({ value: 2, limit: 2, isMet: true });
    expect(await share(harmless.slice(0, 19))).toMatchObject({ value: 2, limit: 1, isMet: false });
  });

  test('count the questions of harmless intakes, and where emergencies were found', async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `q_${index}`);
    const ask = ids.map((id) => questionOf(id, `lesion.${id}`, { skippable: true }));
    const emergency = vignetteOf({ minTriage: 'emergency' });
    const script = (count: number) => ({
      ...says(oneFlag('emergency'), 'emergency'),
      questions: ask.slice(0, count),
      end: endOf(['some_flag']),
    });
    const foundAt = async (count: number) => {
      const trial = await tryVignette(scriptedGateway(script(count)), photo, emergency, 'willing');
      return resultOf([trial]).bars.find(({ name }) => name.includes('emergencies'));
    };
    expect(await foundAt(8)).toMatchObject({ value: 8, isMet: true });
    expect(await foundAt(9)).toMatchObject({ value: 9, isMet: false });

    const questions = async (count: number) => {
      const [calm] = harmless;
      const gateway = scriptedGateway({ questions: ask.slice(0, count) });
      const trial = await tryVignette(gateway, photo, calm as Vignette, 'skipping');
      return resultOf([trial]).bars.find(({ name }) => name.includes('harmless'));
    };
    expect(await questions(25)).toMatchObject({ value: 25, isMet: true });
    expect(await questions(26)).toMatchObject({ value: 26, isMet: false });
  });

  test('an emergency that no question found is not left out of the median', async () => {
    const missed = await tryVignette(
      scriptedGateway(says(oneFlag('emergency'), 'emergency')),
      photo,
      vignetteOf({ minTriage: 'emergency' }),
      'willing',
    );
    const { bars: own, figures } = resultOf([missed]);
    expect(own.find(({ name }) => name.includes('emergencies'))).toMatchObject({ value: null, isMet: false });
    expect(figures[0]?.emergencyAt?.each).toEqual({ x001: null });
  });

  test('the report names every fault with its vignette, and every missed bar', async () => {
    const trials = await tryAll(scriptedGateway({}), photo, [vignetteOf({ anyFlags: ['possible_sepsis'] })]);
    const text = report(resultOf(trials));
    expect(text).toMatch(/under-triaged\n +x001 +api +routine, no flag; needs soon_2_weeks +A made-up/);
    expect(text).toMatch(/x001 +api +no flag instead of possible_sepsis/);
    expect(text).toMatch(/missed +api: under-triaged: 1, limit 0/);
    expect(text).toMatch(/^ +skipping +1 +0 +0 +1 +0/m);
  });
});
