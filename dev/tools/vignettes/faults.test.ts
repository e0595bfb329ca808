import { describe, expect, test } from 'vitest';
import type { NextQuestion, PartialAnamnesis, RedFlags, Triage } from '../../packages/client/src/index.ts';
import { type FaultKind, faultsOf } from './faults.ts';
import { type Channel, tryVignette } from './try-vignette.ts';
import type { Vignette } from './vignette.ts';
import {
  endOf,
  levelOf,
  noFlags,
  oneFlag,
  questionOf,
  scriptedGateway,
  vignetteOf,
} from './scripted-gateway.ts';

const photo = new Uint8Array();

async function faults(
  vignette: Vignette,
  script: Parameters<typeof scriptedGateway>[0],
  channel: Channel = 'api',
): Promise<[FaultKind, string][]> {
  const trial = await tryVignette(scriptedGateway(script), photo, vignette, channel);
  return faultsOf(trial).map(({ kind, why }) => [kind, why]);
}

const says = (flags: RedFlags, priority: Triage['priority']) => ({
  redFlags: () => flags,
  triage: () => levelOf(priority),
});

describe('the level', () => {
  const dangerous = vignetteOf({ minTriage: 'urgent_24h', maxTriage: 'urgent_24h' });

  test('below the lowest acceptable one is under-triage, on every channel', async () => {
    for (const channel of ['api', 'willing', 'skipping'] as const) {
      expect(await faults(dangerous, says(oneFlag('medium'), 'soon_2_weeks'), channel)).toEqual([
        ['under-triaged', expect.stringMatching(/soon_2_weeks, some_flag \(medium\).*needs urgent_24h/)],
      ]);
    }
  });

  test('above the highest acceptable one is over-triage', async () => {
    expect(await faults(dangerous, says(oneFlag('emergency'), 'emergency'))).toEqual([
      ['over-triaged', expect.stringContaining('at most urgent_24h')],
    ]);
  });

  test('at either limit is neither', async () => {
    const range = vignetteOf({ minTriage: 'soon_2_weeks', maxTriage: 'urgent_24h' });
    expect(await faults(range, says(oneFlag('high'), 'urgent_24h'))).toEqual([]);
    expect(await faults(range, says(oneFlag('medium'), 'soon_2_weeks'))).toEqual([]);
  });
});

describe('flags and level contradict each other', () => {
  const any = vignetteOf({ minTriage: 'self_care' });
  test.each<[string, RedFlags, Triage['priority']]>([
    ['an emergency flag below emergency', oneFlag('emergency'), 'urgent_24h'],
    ['a high flag below 24 hours', oneFlag('high'), 'soon_2_weeks'],
    ['a medium flag below two weeks', oneFlag('medium'), 'routine'],
    ['an urgent detail under a mild summary', { ...oneFlag('high'), urgency: 'low' }, 'routine'],
    ['24 hours without a flag', noFlags, 'urgent_24h'],
    ['an emergency without a flag', noFlags, 'emergency'],
    ['a flag, and hasRedFlags false', { ...oneFlag('high'), hasRedFlags: false }, 'urgent_24h'],
    ['no flag, and hasRedFlags true', { ...noFlags, hasRedFlags: true }, 'routine'],
  ])('%s', async (_, flags, priority) => {
    const found = await faults(any, says(flags, priority));
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found.map(([kind]) => kind))).toEqual(new Set(['contradictory']));
  });

  test('a level without a reason', async () => {
    const triage = () => ({ ...levelOf('routine'), reasons: [] });
    expect(await faults(any, { triage })).toEqual([
      ['contradictory', expect.stringContaining('without a reason')],
    ]);
  });

  test('an intake that an emergency ended, with a lower level', async () => {
    const script = { ...says(oneFlag('high'), 'urgent_24h'), end: endOf(['possible_sepsis']) };
    expect(await faults(any, script, 'willing')).toEqual([
      ['contradictory', expect.stringContaining('possible_sepsis')],
    ]);
  });

  test.each<[RedFlags, Triage['priority']]>([
    [oneFlag('emergency'), 'emergency'],
    [oneFlag('high'), 'urgent_24h'],
    [oneFlag('medium'), 'emergency'],
    [oneFlag('low'), 'routine'],
    [noFlags, 'soon_2_weeks'],
  ])('%o and %s do not', async (flags, priority) => {
    expect(await faults(any, says(flags, priority))).toEqual([]);
  });
});

describe('a dangerous vignette whose level hangs on one optional answer is fragile', () => {
  const anamnesis = {
    schemaVersion: '1',
    language: 'en',
    patient: { ageYears: 50, gender: 'male' },
    complaint: { category: 'rash', duration: 'one_day' },
    locations: [{ primary: 'leg' }, { primary: 'arm', side: 'left' }],
    lesion: { blanching: 'non_blanching' },
    symptoms: { emergency: ['none'], local: ['pain'], systemic: ['fever'], temperatureC: 39 },
    medications: [
      { name: 'A', duration: 'one_to_two_weeks', improvement: 'too_early', drugClass: 'antibiotic' },
    ],
  };
  /** Urgent only while `isThere` finds its answer. */
  const hangsOn = (isThere: (anamnesis: PartialAnamnesis) => unknown) => ({
    triage: (given: PartialAnamnesis) => levelOf(isThere(given) === undefined ? 'routine' : 'soon_2_weeks'),
  });
  const dangerous = vignetteOf({}, anamnesis);

  test.each<[string, (given: PartialAnamnesis) => unknown]>([
    ['patient.ageYears', ({ patient }) => patient?.ageYears],
    ['lesion.blanching', ({ lesion }) => lesion?.blanching],
    ['symptoms.temperatureC', ({ symptoms }) => symptoms?.temperatureC],
    ['locations[1].side', ({ locations }) => locations?.[1]?.side],
    ['medications', ({ medications }) => medications],
    ['medications[0].drugClass', ({ medications }) => (medications ? medications[0]?.drugClass : 'none')],
  ])('%s', async (fieldName, isThere) => {
    expect(await faults(dangerous, hangsOn(isThere))).toEqual([
      ['fragile', `without ${fieldName} routine instead of soon_2_weeks`],
    ]);
  });

  test('on a required answer it may hang', async () => {
    expect(
      await faults(
        dangerous,
        hangsOn(({ complaint }) => complaint?.duration),
      ),
    ).toEqual([]);
    expect(
      await faults(
        dangerous,
        hangsOn(({ medications }) => medications?.[0]?.name ?? 'x'),
      ),
    ).toEqual([]);
  });

  test('on the answer that alone says danger it may hang', async () => {
    const bySide = hangsOn(({ locations }) => locations?.[1]?.side);
    const may = (field: string) => vignetteOf({ mayDependOn: [field] }, anamnesis);
    expect(await faults(may('locations[].side'), bySide)).toEqual([]);
    expect(await faults(may('lesion.blanching'), bySide)).toHaveLength(1);
  });

  test('a fall that stops at two weeks is none, nor is a harmless vignette fragile', async () => {
    const stepDown = {
      redFlags: () => oneFlag('high'),
      triage: ({ lesion }: PartialAnamnesis) => levelOf(lesion?.blanching ? 'urgent_24h' : 'soon_2_weeks'),
    };
    expect(await faults(dangerous, stepDown)).toEqual([]);
    const harmless = vignetteOf({ minTriage: 'routine', harmless: true }, anamnesis);
    expect(
      await faults(
        harmless,
        hangsOn(({ lesion }) => lesion?.blanching),
      ),
    ).toEqual([]);
  });
});

describe('questions', () => {
  const radio = (id: string, field: string, values: string[], rest: Partial<NextQuestion> = {}) =>
    questionOf(id, field, { questionType: 'radio', options: values, optionValues: values, ...rest });
  const duration = radio('q_duration', 'complaint.duration', ['one_day', 'one_to_four_weeks']);
  const any = vignetteOf(
    { minTriage: 'self_care' },
    { complaint: { category: 'rash', duration: 'one_day', progression: 'stable' } },
  );

  test('that come again, or ask for a field that was answered, are asked twice', async () => {
    const again = { questions: [duration, duration] };
    expect(await faults(any, again, 'willing')).toEqual([['asked twice', 'q_duration']]);
    const other = { questions: [duration, radio('q_how_long', 'complaint.duration', ['one_day'])] };
    expect(await faults(any, other, 'willing')).toEqual([['asked twice', 'q_how_long']]);
    expect(await faults(any, { questions: [duration] }, 'willing')).toEqual([]);
  });

  test('that never end are a refusal', async () => {
    const endless = { questions: Array.from({ length: 400 }, () => duration) };
    expect(await faults(any, endless, 'willing')).toEqual([['refused', 'Still asking: q_duration']]);
  });

  test('a refusal by the gateway is a fault', async () => {
    const triage = () => {
      throw new Error('422 anamnesis_invalid');
    };
    expect(await faults(any, { triage })).toEqual([['refused', '422 anamnesis_invalid']]);
  });

  test('that ask for the answer that alone says danger: who may skip it may be under-triaged', async () => {
    const asks = { questions: [radio('q_glass', 'lesion.blanching', ['blanches'], { skippable: true })] };
    const may = vignetteOf({ mayDependOn: ['lesion.blanching'] }, { lesion: { blanching: 'blanches' } });
    expect(await faults(may, asks, 'skipping')).toEqual([]);
    expect(await faults(may, asks, 'willing')).toMatchObject([['under-triaged', expect.anything()]]);
  });
});
