import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redFlagRules } from '../../../dev/ai-service/red-flag-rules.ts';
import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import { evaluateRedFlags, type RedFlagRule } from '../../../src/domain/red-flags/evaluate-red-flags.ts';
import { flagText } from '../../../src/domain/red-flags/flag-text.ts';
import { compareUrgency, RedFlags } from '../../../src/domain/red-flags/red-flags.ts';
import { safetyNetRules } from '../../../src/domain/red-flags/safety-net.ts';
import { anyAnamnesis, anyAnamnesisAndPart } from '../anamnesis/arbitraries.ts';
import { enumerations, fields } from '../anamnesis/manifest.ts';

const evaluate = (anamnesis: PartialAnamnesis) => evaluateRedFlags(anamnesis, redFlagRules);

describe('the answer', () => {
  test('no rule that holds is no flag and low urgency', () => {
    const none = { hasRedFlags: false, flags: [], urgency: 'low', flagDetails: [] };
    expect(evaluate({})).toEqual(none);
    expect(evaluate({ symptoms: { emergency: ['none'], local: ['itching'], systemic: ['none'] } })).toEqual(
      none,
    );
  });

  test('the most urgent flag comes first and gives the urgency', () => {
    const answers: PartialAnamnesis = {
      symptoms: { painSeverity: 9, systemic: ['joint_pain'], emergency: ['difficulty_breathing'] },
      lesion: { lesionTypes: ['purpura'] },
    };
    expect(evaluate(answers)).toMatchObject({
      hasRedFlags: true,
      flags: ['airway_or_breathing', 'possible_vasculitis', 'severe_pain'],
      urgency: 'emergency',
      flagDetails: [
        {
          code: 'airway_or_breathing',
          urgency: 'emergency',
          text: 'Trouble breathing or a swelling throat or tongue needs emergency help now.',
        },
        { code: 'possible_vasculitis', urgency: 'high' },
        { code: 'severe_pain', urgency: 'medium' },
      ],
    });
  });

  test('fever in a baby is an emergency once 38 °C is measured', () => {
    const urgencyOf = (symptoms: PartialAnamnesis['symptoms'], patient: PartialAnamnesis['patient']) =>
      evaluateRedFlags({ symptoms, patient }, safetyNetRules).urgency;
    expect(urgencyOf({ systemic: ['fever'] }, { ageYears: 0 })).toBe('high');
    expect(urgencyOf({ systemic: ['fever'], temperatureC: 37.9 }, { ageYears: 0 })).toBe('high');
    expect(urgencyOf({ temperatureC: 38 }, { ageYears: 0 })).toBe('emergency');
    expect(urgencyOf({ temperatureC: 38 }, { ageGroup: 'age_0_to_1' })).toBe('emergency');
    expect(urgencyOf({ temperatureC: 40 }, { ageYears: 1 })).toBe('low');
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
    const answers = (patient: PartialAnamnesis['patient']) =>
      evaluate({ patient, symptoms: { systemic: ['fever'] } });
    expect(answers({ ageYears: 3, ageGroup: 'age_0_to_1' }).flags).toEqual([]);
    expect(answers({ ageYears: 0, ageGroup: 'age_2_to_11' }).flags).toEqual(['infant_fever_or_blisters']);
  });
});

describe('the safety screen', () => {
  test('a sign that no other emergency explains is an emergency of its own', () => {
    expect(evaluate({ symptoms: { emergency: ['fainting'] } })).toMatchObject({
      flags: ['emergency_symptom'],
      urgency: 'emergency',
    });
  });

  test('a high flag beside it does not explain it', () => {
    const answers: PartialAnamnesis = {
      symptoms: { emergency: ['fainting'] },
      complaint: { impact: 'thoughts_of_self_harm' },
    };
    expect(evaluate(answers).flags).toEqual(['emergency_symptom', 'self_harm_risk']);
  });

  test('another emergency speaks for it', () => {
    expect(evaluate({ symptoms: { emergency: ['noisy_breathing'] } }).flags).toEqual(['airway_or_breathing']);
    const baby: PartialAnamnesis = {
      patient: { ageYears: 0 },
      symptoms: { emergency: ['fainting'], temperatureC: 38.5 },
    };
    expect(evaluate(baby).flags).toEqual(['infant_fever_or_blisters']);
  });
});

describe('texts', () => {
  test('are in the language that was asked for, else in that of the anamnesis, else in English', () => {
    const anamnesis = { language: 'he' as const, symptoms: { painSeverity: 8 } };
    const textOf = (...args: Parameters<typeof evaluateRedFlags>) =>
      evaluateRedFlags(...args).flagDetails[0]?.text;
    expect(textOf({ symptoms: { painSeverity: 8 } }, redFlagRules)).toBe(
      'Severe pain needs a prompt review.',
    );
    expect(textOf(anamnesis, redFlagRules)).toBe(flagText('severe_pain', 'he'));
    expect(textOf(anamnesis, redFlagRules)).toMatch(/כאב/);
    expect(textOf(anamnesis, redFlagRules, 'es')).toBe('El dolor intenso requiere una revisión pronta.');
  });

  test('a code that we do not know has no text', () => {
    expect(flagText('made_up', 'en')).toBeUndefined();
    expect(flagText('toString', 'en')).toBeUndefined();
    expect(flagText('_machineDrafted', 'he')).toBeUndefined();
  });
});

describe('whatever is answered', () => {
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

  test('answers taken away add no flag: what is unanswered satisfies no condition', () => {
    // A band beside an exact age would come into force when the age goes, and another emergency may have spoken for the screen.
    const rules = redFlagRules.filter(({ id }) => id !== 'RF33');
    fc.assert(
      fc.property(anyAnamnesisAndPart, ([whole, part]) => {
        const all = evaluateRedFlags(withOneAge(whole), rules).flags;
        for (const flag of evaluateRedFlags(withOneAge(part), rules).flags) expect(all).toContain(flag);
      }),
      { numRuns: 300 },
    );
  });

  test('one more finding takes no flag away, save where a rule asks that it is absent', () => {
    const lists = fields.filter(
      ({ path, type }) => /^(lesion|symptoms|history|exposures)\.\w+$/.test(path) && type.endsWith('[]'),
    );
    const finding = fc
      .constantFrom(...lists)
      .chain(({ path, type }) =>
        fc.constantFrom(
          ...(enumerations[type.slice(0, -2)] ?? []).map((value) => [...path.split('.'), value]),
        ),
      )
      .filter(([, field, value]) => value !== 'none' && field !== 'mucosalSites' && field !== 'emergency');
    fc.assert(
      fc.property(anyAnamnesis, finding, (anamnesis, [section = '', field = '', value = '']) => {
        const fieldsBefore = (anamnesis[section] ?? {}) as Record<string, string[]>;
        const items = [...(fieldsBefore[field] ?? []).filter((item) => item !== 'none'), value];
        const more = { ...anamnesis, [section]: { ...fieldsBefore, [field]: items } };
        const before = evaluate(anamnesis);
        const after = evaluate(more);
        const lost = before.flags.filter((flag) => !after.flags.includes(flag));
        expect(lost.filter((flag) => flag !== 'emergency_symptom')).toEqual([]);
        expect(compareUrgency(after.urgency, before.urgency)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });

  test('the gateway’s own rules never rate a case lower than all rules do, where these say high or emergency', () => {
    fc.assert(
      fc.property(anyAnamnesis, (anamnesis) => {
        const all = evaluate(anamnesis);
        const own = evaluateRedFlags(anamnesis, safetyNetRules);
        if (compareUrgency(all.urgency, 'high') >= 0) expect(own.urgency).toBe(all.urgency);
        expect(all.flags.filter((flag) => own.flags.includes(flag))).toEqual(own.flags);
      }),
    );
  });
});

test('a rule is as urgent as its worse half, where that holds, too', () => {
  const rule: RedFlagRule = {
    id: 'X1',
    flag: 'severe_pain',
    urgency: 'low',
    source: 'test',
    holds: ({ febrile }) => febrile,
    worse: { urgency: 'high', when: ({ newDrug }) => newDrug },
  };
  expect(evaluateRedFlags({ symptoms: { temperatureC: 38 } }, [rule]).urgency).toBe('low');
  const withDrug: PartialAnamnesis = {
    symptoms: { temperatureC: 38 },
    medications: [{}, { startedRelative: 'before_problem_under_72_hours' }],
  };
  expect(evaluateRedFlags(withDrug, [rule]).urgency).toBe('high');
});

function withOneAge(anamnesis: Record<string, unknown>): PartialAnamnesis {
  const { ageGroup: _band, ...patient } = (anamnesis['patient'] ?? {}) as Record<string, unknown>;
  return { ...anamnesis, patient };
}
