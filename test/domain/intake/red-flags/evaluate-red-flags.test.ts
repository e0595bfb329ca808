import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import {
  has,
  inRegion,
  isAt,
  isOnlyAt,
  regionOf,
  sizeAtLeast,
} from '../../../../src/domain/intake/red-flags/conditions.ts';
import {
  evaluateRedFlags,
  evaluateRules,
  isEmergency,
} from '../../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import { flagText } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import { compareUrgency, RedFlags } from '../../../../src/domain/intake/red-flags/red-flags.schemas.ts';
import type { RedFlagRule } from '../../../../src/domain/intake/red-flags/rules/red-flag-rule.ts';
import { redFlagRules } from '../../../../src/domain/intake/red-flags/rules/red-flag-rules.ts';
import {
  all,
  atLeastOf,
  met,
  open,
  some,
  unmet,
} from '../../../../src/domain/intake/red-flags/answer-logic.ts';
import { anyAnamnesis, anyPartialAnamnesis } from '../anamnesis/arbitraries.ts';

const evaluate = (anamnesis: PartialAnamnesis) => evaluateRedFlags(anamnesis);

describe('the answer', () => {
  test('without a met rule there is no flag, and low urgency', () => {
    const none = { hasRedFlags: false, flags: [], urgency: 'low', flagDetails: [] };
    expect(evaluate({})).toEqual(none);
    expect(evaluate({ symptoms: { emergency: ['none'], local: ['itching'], systemic: ['none'] } })).toEqual(
      none,
    );
  });

  test('the most urgent flag comes first and gives the urgency', () => {
    const answers: PartialAnamnesis = {
      symptoms: {
        local: ['pain'],
        painSeverity: 9,
        systemic: ['joint_pain'],
        emergency: ['difficulty_breathing'],
      },
      lesion: { blanching: 'non_blanching' },
      complaint: { duration: 'less_than_one_week' },
    };
    const { flags, flagDetails, urgency } = evaluate(answers);
    expect(urgency).toBe('emergency');
    expect(flagDetails[0]).toEqual({
      code: 'airway_or_breathing',
      urgency: 'emergency',
      text: 'Trouble breathing or a swelling throat or tongue needs emergency help now.',
      certainty: 'met',
    });
    expect(flagDetails).toContainEqual({
      code: 'possible_vasculitis',
      urgency: 'high',
      text: flagText('possible_vasculitis', 'en'),
      certainty: 'met',
    });
    expect(flags.at(-1)).toBe('severe_pain');
  });

  test('fever in the first three months is an emergency, measured or felt, until 38 °C is excluded', () => {
    const urgencyOf = (symptoms: PartialAnamnesis['symptoms'], patient: PartialAnamnesis['patient']) =>
      evaluate({ symptoms, patient }).urgency;
    expect(urgencyOf({ systemic: ['fever'] }, { ageYears: 0, ageMonths: 2 })).toBe('emergency');
    expect(urgencyOf({ temperatureC: 38 }, { ageMonths: 2 })).toBe('emergency');
    expect(urgencyOf({ systemic: ['fever'], temperatureC: 37.9 }, { ageYears: 0, ageMonths: 2 })).toBe(
      'high',
    );
    expect(urgencyOf({ systemic: ['fever'] }, { ageYears: 0, ageMonths: 9 })).toBe('high');
  });

  test('a baby of unknown months counts as young', () => {
    expect(evaluate({ symptoms: { systemic: ['fever'] }, patient: { ageYears: 0 } }).urgency).toBe(
      'emergency',
    );
    expect(evaluate({ symptoms: { temperatureC: 38 }, patient: { ageGroup: 'age_0_to_1' } }).urgency).toBe(
      'emergency',
    );
  });

  test('a pearly lump is more urgent on eyelid, nose, lips and ear', () => {
    const urgencyAt = (...locations: NonNullable<PartialAnamnesis['locations']>) =>
      evaluate({
        lesion: { surfaceChanges: ['shiny_pearly'] },
        complaint: { duration: 'more_than_one_year' },
        locations,
      }).urgency;
    for (const secondary of ['eyelid', 'nose', 'lips', 'ear'] as const) {
      expect(urgencyAt({ primary: 'arm' }, { primary: 'head_neck', secondary })).toBe('medium');
    }
    expect(urgencyAt({ primary: 'head_neck', secondary: 'cheek' })).toBe('low');
    expect(urgencyAt({ primary: 'head_neck' })).toBe('low');
  });

  test('an exact age counts more than a band beside it', () => {
    const flagsOf = (patient: PartialAnamnesis['patient']) =>
      evaluate({ patient, symptoms: { systemic: ['fever'] } }).flags;
    expect(flagsOf({ ageYears: 3, ageGroup: 'age_0_to_1' })).not.toContain('infant_fever_or_blisters');
    expect(flagsOf({ ageYears: 0, ageGroup: 'age_2_to_11' })).toContain('infant_fever_or_blisters');
  });
});

describe('a rule that cannot be excluded', () => {
  const rule = (
    urgency: RedFlagRule['urgency'],
    when: RedFlagRule['when'] = () => open('lesion.blanching'),
  ) => ({
    id: 'X1',
    flag: 'non_blanching_rash' as const,
    urgency,
    source: 'test',
    key: has('lesion.colors', 'purple'),
    ...(when !== undefined && { when }),
  });
  const purple: PartialAnamnesis = { lesion: { colors: ['purple'] } };

  test.each([
    ['emergency', 'high'],
    ['high', 'medium'],
  ] as const)(
    'an %s rule raises its flag as %s, and the text names what is not known',
    (urgency, lowered) => {
      const { hasRedFlags, flagDetails } = evaluateRedFlags(purple, [rule(urgency)], 'en');
      expect(hasRedFlags).toBe(true);
      expect(flagDetails).toEqual([
        {
          code: 'non_blanching_rash',
          urgency: lowered,
          certainty: 'not_excluded',
          text: expect.stringContaining(flagText('non_blanching_rash', 'en')),
        },
      ]);
      expect(flagDetails[0]?.text).toMatch(/not known: .*glass/i);
    },
  );

  test.each(['medium', 'low'] as const)('a %s rule raises none', (urgency) => {
    expect(evaluateRedFlags(purple, [rule(urgency)], 'en').flags).toEqual([]);
  });

  test('needs the key finding: open answers alone raise nothing', () => {
    expect(evaluateRedFlags({}, [rule('emergency')], 'en').flags).toEqual([]);
    expect(evaluateRedFlags({ lesion: { colors: ['red'] } }, [rule('emergency')], 'en').flags).toEqual([]);
  });

  test('later answers make it met, or clear it', () => {
    const unmetRule = rule('emergency', () => unmet);
    const metRule = rule('emergency', () => met);
    expect(evaluateRedFlags(purple, [unmetRule], 'en').flags).toEqual([]);
    expect(evaluateRedFlags(purple, [metRule], 'en').flagDetails).toMatchObject([
      { urgency: 'emergency', certainty: 'met' },
    ]);
  });

  test('of two rules with one flag the more urgent wins, and of equals the one that is met', () => {
    const open = rule('emergency');
    const found = rule('high', () => met);
    for (const rules of [
      [open, found],
      [found, open],
    ]) {
      const { flags, flagDetails } = evaluateRedFlags(purple, rules, 'en');
      expect(flags).toEqual(['non_blanching_rash']);
      expect(flagDetails).toMatchObject([{ urgency: 'high', certainty: 'met' }]);
    }
    const medium = rule('medium', () => met);
    expect(evaluateRedFlags(purple, [medium, open], 'en').flagDetails).toMatchObject([
      { urgency: 'high', certainty: 'not_excluded' },
    ]);
  });
});

describe('the safety screen', () => {
  test('a sign that no other emergency explains is an emergency of its own', () => {
    const { flags, urgency } = evaluate({ symptoms: { emergency: ['fainting'] } });
    expect([flags[0], urgency]).toEqual(['emergency_symptom', 'emergency']);
  });

  test('a high flag beside it does not explain it', () => {
    const answers: PartialAnamnesis = {
      symptoms: { emergency: ['fainting'] },
      complaint: { impact: 'thoughts_of_self_harm' },
    };
    expect(evaluate(answers).flags).toEqual(expect.arrayContaining(['emergency_symptom', 'self_harm_risk']));
  });

  test('another emergency explains it', () => {
    const { flags } = evaluate({ symptoms: { emergency: ['noisy_breathing'] } });
    expect(flags).toContain('airway_or_breathing');
    expect(flags).not.toContain('emergency_symptom');
    const baby: PartialAnamnesis = {
      patient: { ageYears: 0 },
      symptoms: { emergency: ['fainting'], temperatureC: 38.5 },
    };
    expect(evaluate(baby).flags).toContain('infant_fever_or_blisters');
    expect(evaluate(baby).flags).not.toContain('emergency_symptom');
  });

  test('an emergency that only cannot be excluded does not', () => {
    const purple: PartialAnamnesis = {
      symptoms: { emergency: ['fainting'] },
      lesion: { lesionTypes: ['wheal'] },
    };
    const { flags, flagDetails } = evaluate(purple);
    expect(flagDetails.some(({ certainty }) => certainty === 'not_excluded')).toBe(true);
    expect(flags[0]).toBe('emergency_symptom');
  });
});

describe('texts', () => {
  test('are in the language that was asked for, else in that of the anamnesis, else in English', () => {
    const anamnesis = { language: 'he' as const, symptoms: { local: ['pain' as const], painSeverity: 8 } };
    const pain = redFlagRules.filter(({ flag }) => flag === 'severe_pain');
    const textOf = (...args: Parameters<typeof evaluateRedFlags>) =>
      evaluateRedFlags(...args).flagDetails[0]?.text;
    expect(textOf({ symptoms: { local: ['pain'], painSeverity: 8 } }, pain)).toBe(
      'Severe pain needs a prompt review.',
    );
    expect(textOf(anamnesis, pain)).toBe(flagText('severe_pain', 'he'));
    expect(textOf(anamnesis, pain)).toMatch(/כאב/);
    expect(textOf(anamnesis, pain, 'es')).toBe('El dolor intenso requiere una revisión pronta.');
  });

  test('an unknown code has no text', () => {
    expect(flagText('made_up', 'en')).toBeUndefined();
    expect(flagText('toString', 'en')).toBeUndefined();
    expect(flagText('_machineDrafted', 'he')).toBeUndefined();
  });
});

describe('for any answers', () => {
  test('flags, details and urgency agree, and fit the published shape', () => {
    fc.assert(
      fc.property(anyAnamnesis, (anamnesis) => {
        const answer = evaluate(anamnesis);
        expect(RedFlags.parse(answer)).toEqual(answer);
        expect(answer.hasRedFlags).toBe(answer.flags.length > 0);
        expect(new Set(answer.flags).size).toBe(answer.flags.length);
        expect(answer.flagDetails.map(({ code }) => code)).toEqual(answer.flags);
        expect(answer.urgency).toBe(answer.flagDetails[0]?.urgency ?? 'low');
        const urgencies = answer.flagDetails.map(({ urgency }) => urgency);
        expect(urgencies.toSorted((a, b) => compareUrgency(b, a))).toEqual(urgencies);
      }),
    );
  });

  test('only answers meet a rule: an empty questionnaire decides none', () => {
    for (const { rule, verdict } of evaluateRules({}))
      expect([rule.id, verdict]).toEqual([rule.id, 'undecided']);
  });

  test('an open rule names the answer that could clear it, and a decided one asks for nothing', () => {
    fc.assert(
      fc.property(anyPartialAnamnesis, (anamnesis) => {
        for (const { verdict, openFields } of evaluateRules(anamnesis as PartialAnamnesis)) {
          const isOpen = verdict === 'not_excluded' || verdict === 'undecided';
          expect(openFields.length > 0).toBe(isOpen);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('texts of rules that cannot be excluded name what is not known, in every language', () => {
    fc.assert(
      fc.property(anyPartialAnamnesis, fc.constantFrom('en', 'he', 'ar', 'es'), (anamnesis, language) => {
        const { flagDetails } = evaluateRedFlags(
          anamnesis as PartialAnamnesis,
          redFlagRules,
          language as 'en' | 'he' | 'ar' | 'es',
        );
        for (const { code, text, certainty } of flagDetails) {
          const plain = flagText(code, language as 'en') ?? '';
          expect(text.startsWith(plain)).toBe(true);
          expect(text.length > plain.length).toBe(certainty === 'not_excluded');
          expect(text).not.toMatch(/[{}]|undefined/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test('there is an emergency exactly where a flag is met with that urgency, of any answers', () => {
  fc.assert(
    fc.property(anyPartialAnamnesis, (anamnesis) => {
      const { flagDetails } = evaluate(anamnesis);
      const isMet = flagDetails.some(
        ({ urgency, certainty }) => urgency === 'emergency' && certainty === 'met',
      );
      expect(isEmergency(anamnesis)).toBe(isMet);
    }),
  );
  expect(isEmergency({})).toBe(false);
  expect(isEmergency({ symptoms: { emergency: ['difficulty_breathing'] } })).toBe(true);
  const urgentOnly: PartialAnamnesis = {
    locations: [{ primary: 'head_neck', secondary: 'eyelid' }],
    lesion: { lesionTypes: ['vesicle'], eyeSymptoms: ['pain'] },
  };
  expect([evaluate(urgentOnly).urgency, isEmergency(urgentOnly)]).toEqual(['high', false]);
});

test('an answer that means "I do not know" leaves a condition as open as a missing one', () => {
  const condition = has('lesion.blanching', 'non_blanching');
  for (const blanching of ['unknown', 'not_sure', 'not_tested', 'prefer_not_to_say']) {
    const anamnesis = { lesion: { blanching } } as unknown as PartialAnamnesis;
    expect(condition(anamnesis)).toEqual(condition({}));
  }
});

test('a size that the patient is not sure of leaves a size open', () => {
  const sized = (size: NonNullable<PartialAnamnesis['lesion']>['size']) => ({ lesion: { size } });
  expect(sizeAtLeast('over_50_mm')(sized('not_sure'))).toEqual(open('lesion.size'));
  expect(sizeAtLeast('over_50_mm')(sized('over_50_mm'))).toEqual(met);
  expect(sizeAtLeast('over_50_mm')(sized('from_21_to_50_mm'))).toEqual(unmet);
});

describe('a place', () => {
  type Places = NonNullable<PartialAnamnesis['locations']>;
  const needsRegion = open('locations[].primary');
  const needsPlace = open('locations[].secondary');
  const [head, arm, nails, other] = (['head_neck', 'arm', 'nails', 'other'] as const).map((primary) => ({
    primary,
  })) as [Places[number], Places[number], Places[number], Places[number]];
  const nose = { primary: 'head_neck', secondary: 'nose' } as const;
  const sideAlone = { side: 'left' } as const;

  test.each([
    ['no place', [], needsRegion],
    ['a side alone', [sideAlone], needsRegion],
    ['the place', [{ secondary: 'eyelid' }], met],
    ['the place beside a side alone', [sideAlone, { secondary: 'eyelid' }], met],
    ['a region that has the place and others', [head], needsPlace],
    ['another place beside such a region', [nose, head], needsPlace],
    ['a region that has only places asked for', [nails], met],
    ['another region', [arm], unmet],
    ['another region and a side alone', [arm, sideAlone], needsRegion],
    ['another place', [nose], unmet],
    ['another place and another region', [nose, arm, other], unmet],
  ] satisfies [string, Places, unknown][])('%s: whether it is there', (_, locations, truth) => {
    expect(isAt('eyelid', 'fingernail', 'toenail', 'nail_fold')({ locations })).toEqual(truth);
  });

  test.each([
    ['no place', [], needsRegion],
    ['a side alone', [sideAlone], needsRegion],
    ['the region', [head], met],
    ['a place in it', [{ secondary: 'nose' }], met],
    ['another region beside it', [arm, head], met],
    ['another region', [arm], unmet],
    ['a place elsewhere', [{ secondary: 'palm' }], unmet],
    ['another region and a side alone', [arm, sideAlone], needsRegion],
  ] satisfies [string, Places, unknown][])('%s: whether it is in the region', (_, locations, truth) => {
    expect(inRegion('head_neck')({ locations })).toEqual(truth);
    expect(regionOf(sideAlone)).toBeUndefined();
  });

  test.each([
    ['no place', [], needsRegion],
    ['the place', [{ secondary: 'nose' }], met],
    ['the place and another', [nose, { secondary: 'lips' }], unmet],
    ['the place and a region that has it', [nose, head], needsPlace],
    ['the place and a side alone', [nose, sideAlone], needsRegion],
  ] satisfies [string, Places, unknown][])('%s: whether it is there alone', (_, locations, truth) => {
    expect(isOnlyAt('nose')({ locations })).toEqual(truth);
  });
});

describe('conditions together, of any truths', () => {
  const fields = ['lesion.extent', 'lesion.size', 'lesion.count'] as const;
  const anyTruth = fc.oneof(
    fc.constant(met),
    fc.constant(unmet),
    fc.constantFrom(...fields).map((field) => open(field)),
  );
  const anyTruths = fc.array(anyTruth, { minLength: 1, maxLength: 5 });

  test('as many as wanted are met, cannot be any more, or are open by all fields that could decide it, each once', () => {
    fc.assert(
      fc.property(anyTruths, fc.integer({ min: 1, max: 5 }), (truths, minimum) => {
        const conditions = truths.map((truth) => () => truth);
        const count = (value: boolean | undefined) => truths.filter((each) => each.value === value).length;
        const found = atLeastOf(minimum, ...conditions)({});
        const isMet = count(true) >= minimum;
        const isUnmet = count(true) + count(undefined) < minimum;
        expect(found.value).toBe(isMet ? true : isUnmet ? false : undefined);
        const openFields = truths.flatMap((truth) => (truth.value === undefined ? truth.openFields : []));
        expect(found.openFields).toEqual(isMet || isUnmet ? [] : [...new Set(openFields)]);
        expect(all(...conditions)({})).toEqual(atLeastOf(truths.length, ...conditions)({}));
        expect(some(...conditions)({})).toEqual(atLeastOf(1, ...conditions)({}));
      }),
    );
  });
});
