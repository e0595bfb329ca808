import { describe, expect, test } from 'vitest';
import { redFlagRules } from '../../../dev/ai-service/red-flag-rules.ts';
import type { PartialAnamnesis } from '../../../src/domain/anamnesis/anamnesis.ts';
import { parseAnamnesis } from '../../../src/domain/anamnesis/parse-anamnesis.ts';
import { evaluateRedFlags } from '../../../src/domain/red-flags/evaluate-red-flags.ts';
import { findingsOf } from '../../../src/domain/red-flags/findings.ts';
import en from '../../../src/domain/red-flags/messages/en.json' with { type: 'json' };
import { safetyNetRules } from '../../../src/domain/red-flags/safety-net.ts';
import { ruleCases } from './rule-cases.ts';

const catalogue = `
RF01 airway_or_breathing emergency
RF02 possible_anaphylaxis emergency
RF03 angioedema high
RF04 possible_sjs_ten emergency
RF05 widespread_blistering emergency
RF06 non_blanching_rash_unwell emergency
RF07 non_blanching_rash high
RF08 possible_necrotising_infection emergency
RF09 possible_sepsis emergency
RF10 spreading_infection_systemic high
RF11 periorbital_infection emergency
RF12 erythroderma emergency
RF13 possible_eczema_herpeticum high
RF14 possible_dress high
RF15 ophthalmic_zoster high
RF16 shingles_antiviral_window high
RF17 immunosuppressed_and_unwell high
RF18 infant_fever_or_blisters high
RF19 possible_scalded_skin emergency
RF20 possible_kawasaki high
RF21 rash_in_pregnancy high
RF22 suspicious_pigmented_lesion medium
RF23 rapidly_growing_nodule medium
RF24 non_healing_lesion medium
RF25 growing_lesion_immunosuppressed medium
RF26 acral_or_nail_pigment medium
RF27 possible_bcc low
RF28 possible_erythema_migrans medium
RF29 possible_vasculitis high
RF30 possible_syphilis_or_sti medium
RF31 severe_pain medium
RF32 self_harm_risk high
RF33 emergency_symptom emergency
`
  .trim()
  .split('\n');

const inOrder = (rules: typeof redFlagRules) =>
  rules.map(({ id, flag, urgency }) => `${id} ${flag} ${urgency}`).toSorted();

test('there are the 33 rules of the catalogue', () => {
  expect(inOrder(redFlagRules)).toEqual(catalogue);
});

test('the gateway checks every rule of urgency emergency and high itself', () => {
  expect(inOrder(safetyNetRules)).toEqual(catalogue.filter((line) => /(emergency|high)$/.test(line)));
});

test('every flag has an English text, and no text is without a flag', () => {
  expect(Object.keys(en).toSorted()).toEqual(redFlagRules.map(({ flag }) => flag).toSorted());
  for (const text of Object.values(en)) expect(text).toMatch(/^[A-Z].{20,}\.$/);
});

test('the cases cover every rule and are answers that the schema accepts', () => {
  expect(Object.keys(ruleCases)).toEqual(catalogue.map((line) => line.slice(0, 4)));
  for (const { speaks, isSilent } of Object.values(ruleCases)) {
    for (const answers of [...speaks, ...isSilent]) {
      expect(parseAnamnesis(answers, { language: 'en', imageUrlHosts: [], partial: true }).ok).toBe(true);
    }
  }
});

describe.each(redFlagRules.map((rule) => ({ ...rule, cases: ruleCases[rule.id] })))(
  '$id $flag',
  ({ flag, holds, cases }) => {
    const { speaks = [], isSilent = [] } = cases ?? {};

    test.each(speaks.map((answers) => [JSON.stringify(answers), answers] as const))(
      'speaks of %s',
      (_, answers) => {
        expect(holds(findingsOf(answers))).toBe(true);
        expect(evaluateRedFlags(answers, redFlagRules).flags).toContain(flag);
      },
    );

    test.each(isSilent.map((answers) => [JSON.stringify(answers), answers] as const))(
      'is silent on %s',
      (_, answers) => {
        expect(holds(findingsOf(answers))).toBe(false);
        expect(evaluateRedFlags(answers, redFlagRules).flags).not.toContain(flag);
      },
    );

    test('is silent when any one of the answers is missing', () => {
      for (const answers of speaks) {
        for (const fewer of withOneAnswerLess(answers)) {
          expect({ fewer, speaks: holds(findingsOf(fewer)) }).toEqual({ fewer, speaks: false });
        }
      }
    });

    test('is silent on an empty questionnaire', () => {
      expect(holds(findingsOf({}))).toBe(false);
    });
  },
);

/** Every way to take one answered field away. */
function withOneAnswerLess(answers: PartialAnamnesis): PartialAnamnesis[] {
  return Object.entries(answers).flatMap(([name, section]) => {
    if (Array.isArray(section)) return [{ ...answers, [name]: undefined }];
    return Object.keys(Object(section)).map((field) => ({
      ...answers,
      [name]: { ...Object(section), [field]: undefined },
    }));
  });
}
