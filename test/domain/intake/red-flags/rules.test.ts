import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { parseAnamnesis } from '../../../../src/domain/intake/anamnesis/parse-anamnesis.ts';
import {
  evaluateRedFlags,
  evaluateRules,
  type Verdict,
} from '../../../../src/domain/intake/red-flags/evaluate-red-flags.ts';
import en from '../../../../src/domain/intake/red-flags/messages/en.json' with { type: 'json' };
import { redFlagRules } from '../../../../src/domain/intake/red-flags/rules/red-flag-rules.ts';
import { furtherRuleCases } from './further-rule-cases.ts';
import { firstRuleCases, type RuleCases } from './rule-cases.ts';
import { thirdRuleCases } from './third-rule-cases.ts';

const ruleCases: Readonly<Record<string, RuleCases>> = {
  ...firstRuleCases,
  ...furtherRuleCases,
  ...thirdRuleCases,
};

interface Known {
  rule: string;
  verdict: Verdict;
  answers: PartialAnamnesis;
}

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
RF34 possible_agep high
RF35 possible_drug_reaction medium
RF36 febrile_widespread_rash high
RF37 sting_in_mouth_or_throat high
RF38 possible_necrotising_infection emergency
RF39 possible_sepsis emergency
RF40 spreading_infection high
RF41 immunosuppressed_and_unwell emergency
RF42 possible_toxic_shock emergency
RF43 infected_bite high
RF44 bite_abroad high
RF45 diabetic_foot high
RF46 diabetic_foot emergency
RF47 rapidly_growing_ulcer high
RF48 possible_limb_ischaemia emergency
RF49 possible_deep_vein_thrombosis high
RF50 bleeding_varicose_vein high
RF51 blistering_without_cause medium
RF52 blistering_without_cause high
RF53 infant_fever_or_blisters emergency
RF54 infant_fever_or_blisters emergency
RF55 infant_fever_or_blisters high
RF56 bruise_in_a_baby high
RF57 possible_measles high
RF58 possible_scarlet_fever high
RF59 haemangioma_at_risk medium
RF60 retinoid_in_pregnancy high
RF61 itch_of_late_pregnancy high
RF62 eye_involvement high
RF63 possible_bcc medium
RF64 one_sided_breast_eczema medium
RF65 rash_with_muscle_weakness medium
RF66 persistent_mouth_ulcer medium
RF67 genital_sore_or_growth medium
RF68 long_illness medium
RF69 possible_acne_fulminans high
RF70 rapid_change medium
RF71 airway_or_breathing emergency
RF72 periorbital_infection high
RF73 infected_bite high
RF74 possible_phlebitis medium
RF75 possible_erythema_migrans high
RF76 widespread_blistering emergency
RF77 possible_jaundice high
RF78 possible_jaundice medium
RF79 possible_vasculitis high
RF80 infection_contact_at_risk high
RF81 possible_drug_reaction high
RF82 possible_limb_ischaemia high
RF83 unusual_bleeding high
RF84 non_blanching_rash_unwell emergency
RF85 shingles_antiviral_window high
RF86 deep_burn_or_wound high
RF87 possible_deep_vein_thrombosis high
RF88 airway_or_breathing emergency
RF89 airway_or_breathing emergency
RF90 non_blanching_rash_unwell emergency
RF91 possible_anaphylaxis emergency
RF92 fever_after_travel high
RF93 prolonged_fever high
RF94 possible_skin_necrosis high
RF95 infection_contact_at_risk high
RF96 infection_contact_at_risk high
RF97 facial_weakness emergency
RF98 facial_weakness high
RF99 cosmetic_injection_complication high
RF100 cosmetic_injection_complication emergency
RF101 snake_bite emergency
RF102 blood_exposure high
RF103 growing_lesion_immunosuppressed medium
RF104 non_blanching_rash medium
`
  .trim()
  .split('\n');

test('the rules are those of the catalogue', () => {
  expect(redFlagRules.map(({ id, flag, urgency }) => `${id} ${flag} ${urgency}`).toSorted()).toEqual(
    catalogue.toSorted(),
  );
});

test('every rule has cases, a source and a text', () => {
  expect(redFlagRules.map(({ id }) => id).toSorted()).toEqual(Object.keys(ruleCases).toSorted());
  for (const { id, source, flag } of redFlagRules) {
    expect({ id, source }).toEqual({ id, source: expect.stringMatching(/.{15,}/) });
    expect(en.flags).toHaveProperty(flag);
  }
});

test('a flag of rules of several urgencies reads as one of today where one of them is high', () => {
  const several = [...Map.groupBy(redFlagRules, ({ flag }) => flag).entries()].filter(([, rules]) => {
    const urgencies = new Set(rules.map(({ urgency }) => urgency));
    return urgencies.size > 1 && urgencies.has('high');
  });
  expect(several.length).toBeGreaterThan(5);
  for (const [flag] of several)
    expect({ flag, text: en.flags[flag] }).toMatchObject({
      text: expect.stringMatching(/\btoday\b|\bpromptly\b|\burgently\b/),
    });
});

test('a bite counts by its place alone as well, and so it reads', () => {
  expect(en.flags.infected_bite).toMatch(/hand/);
});

/**
 * Found by taking every word and condition out of the rules, one at a time: each line is one on which a rule then judges
 * otherwise, and that no case of `rule-cases.ts` notices. A rule that is changed on purpose changes its lines.
 */
test('every word and condition of a rule that can lose a flag, or raise an urgent one, is there for a reason', () => {
  const lines = readFileSync(join(import.meta.dirname, 'verdicts.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const known = lines.map((line) => JSON.parse(line) as Known);
  expect(known.length).toBeGreaterThan(350);
  for (const { rule: id, verdict, answers } of known) {
    const rules = redFlagRules.filter((rule) => rule.id === id);
    const found = evaluateRules(answers, rules).map((found) => found.verdict);
    expect({ id, answers, found }).toEqual({ id, answers, found: [verdict] });
    const parsed = parseAnamnesis(answers, { language: 'en', imageUrlHosts: [], partial: true });
    expect({ answers, parsed }).toMatchObject({ parsed: { ok: true } });
  }
});

test('every text belongs to a rule, or to what the AI service alone finds urgent', () => {
  const flags = new Set<string>(redFlagRules.map(({ flag }) => flag));
  expect(Object.keys(en.flags).filter((flag) => !flags.has(flag))).toEqual(['urgent_by_ai']);
});

describe.each(redFlagRules.map((rule) => [`${rule.id} ${rule.flag}`, rule] as const))('%s', (_, rule) => {
  const { speaks = [], isSilent = [] } = ruleCases[rule.id] ?? {};
  const verdictOn = (answers: PartialAnamnesis) => evaluateRules(answers, [rule])[0]?.verdict;

  test('has both kinds of cases, with valid answers', () => {
    expect(speaks.length).toBeGreaterThan(0);
    expect(isSilent.length).toBeGreaterThan(0);
    for (const answers of [...speaks, ...isSilent]) {
      const parsed = parseAnamnesis(answers, { language: 'en', imageUrlHosts: [], partial: true });
      expect({ answers, parsed }).toMatchObject({ parsed: { ok: true } });
    }
  });

  test.each(speaks.map((answers) => [JSON.stringify(answers), answers] as const))(
    'speaks of %s',
    (_, answers) => {
      expect(verdictOn(answers)).toBe('met');
      expect(evaluateRedFlags(answers).flags).toContain(rule.flag);
    },
  );

  test.each(isSilent.map((answers) => [JSON.stringify(answers), answers] as const))(
    'is silent on %s',
    (_, answers) => {
      expect(verdictOn(answers)).not.toBe('met');
    },
  );

  test('a missing answer excludes no flag', () => {
    for (const answers of speaks) {
      for (const fewer of withOneAnswerLess(answers)) {
        // The key finding itself may go; what is left of the rule then says nothing.
        if (rule.key(fewer).value === false) continue;
        expect({ fewer, verdict: verdictOn(fewer) }).not.toEqual({ fewer, verdict: 'excluded' });
      }
    }
  });

  test('raises no flag on an empty questionnaire, and is not excluded by it', () => {
    expect(verdictOn({})).toBe('undecided');
  });
});

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
