import type { AgeRange } from '../../intake/anamnesis/age.ts';
import type { Parameters } from '../../platform/parameters/parameter-schemas.ts';

/** The parameter `eligibility/rules` of a tenant. */
export type EligibilityRules = Parameters<'eligibility/rules'>;

/** What the rules judge; gathered before, so that a judgement is a pure function of it. */
export interface EligibilityFacts {
  consent: { given: string | null; current: string };
  /** Pointers into the anamnesis of required answers that are missing. */
  missingAnswers: readonly string[];
  /** One for each photo; undefined where the AI service gave no verdict. */
  photos: readonly ({ isValid: boolean; issues: readonly string[] } | undefined)[];
  /** Of the patient; undefined when unknown. */
  ages: AgeRange | undefined;
  /** `self`: the patient is the account holder. The maker of another profile has confirmed to be its guardian. */
  relation: 'self' | 'child' | 'ward' | 'other';
  /** `locations[].primary` of the anamnesis. */
  sites: readonly string[];
  membership: Membership;
  /** Cases of this patient that reached the queue within the quota's window, without this one. */
  recentCases: number;
  /** Another case of this patient with the same photos and complaint. */
  duplicateOf: string | undefined;
  /** The answers or the AI service have met a flag of high or emergency urgency, now or earlier. */
  hasUrgentFlag: boolean;
}

export type Membership =
  | { state: 'member' | 'unreachable' }
  /** The code of the service that refused; absent when the patient has no external id to ask about. */
  | { state: 'not_a_member'; reason?: string | undefined };

export type EligibilityOutcome = 'eligible' | 'needs_patient' | 'ineligible' | 'undetermined';

export interface Eligibility {
  outcome: EligibilityOutcome;
  /** Codes in the order of the rules, some with what they are about: `retake_photos:blurry`. */
  reasons: string[];
}

interface Rule {
  leadsTo: Exclude<EligibilityOutcome, 'eligible'>;
  /** Holds even for a case with an urgent flag. */
  withoutOverride?: true;
  /** None when the rule is met. */
  reasons(facts: EligibilityFacts, limits: EligibilityRules): readonly string[];
}

const when = (applies: boolean, ...reasons: string[]) => (applies ? reasons : []);

/** Every rule there is, in the order in which reasons are listed. */
const rules: readonly Rule[] = [
  {
    leadsTo: 'needs_patient',
    withoutOverride: true,
    reasons: ({ consent }) => when(consent.given !== consent.current, 'consent_outdated'),
  },
  {
    leadsTo: 'needs_patient',
    reasons: ({ missingAnswers }) => missingAnswers.map((pointer) => `answers_missing:${pointer}`),
  },
  { leadsTo: 'needs_patient', reasons: ({ photos }) => retakes(photos) },
  {
    leadsTo: 'needs_patient',
    reasons: ({ relation, ages }, { guardian_under_years: under }) =>
      when(relation === 'self' && ages !== undefined && ages.max < under, 'guardian_required'),
  },
  {
    leadsTo: 'ineligible',
    reasons: ({ ages }, { min_age_years: least }) =>
      when(ages !== undefined && ages.max < least, 'age_excluded'),
  },
  {
    leadsTo: 'ineligible',
    // Of an age that is a range the youngest counts, because such photos must not be asked of a child.
    reasons: ({ sites, ages }, { excluded_sites: excluded }) =>
      excluded
        .filter(({ site, under_years: under }) => sites.includes(site) && (ages?.min ?? under) < under)
        .map(({ site }) => `site_excluded:${site}`),
  },
  {
    leadsTo: 'ineligible',
    reasons: ({ membership }) =>
      membership.state === 'not_a_member' ? [withArgument('not_a_member', membership.reason)] : [],
  },
  {
    leadsTo: 'undetermined',
    reasons: ({ membership }) => when(membership.state === 'unreachable', 'membership_unverified'),
  },
  {
    leadsTo: 'ineligible',
    reasons: ({ recentCases }, { quota }) => when(recentCases >= quota.cases, 'quota_exceeded'),
  },
  {
    leadsTo: 'ineligible',
    reasons: ({ duplicateOf }) =>
      when(duplicateOf !== undefined, withArgument('duplicate_case', duplicateOf)),
  },
];

/** What no patient can mend comes before what one can, and both before what only time can tell. */
const precedence = ['ineligible', 'needs_patient', 'undetermined'] as const;

/**
 * Judges whether a case may be queued; every rule speaks, so that the patient learns all there is to do at once. A flag
 * of high or emergency urgency that is met overrides everything but consent: a human looks, and what is missing is asked
 * for afterwards.
 */
export function evaluateEligibility(facts: EligibilityFacts, limits: EligibilityRules): Eligibility {
  const broken = rules
    .map(({ reasons, ...rule }) => ({ ...rule, reasons: reasons(facts, limits) }))
    .filter(({ reasons }) => reasons.length > 0);
  const reasons = broken.flatMap((rule) => rule.reasons);
  const isOverridden = facts.hasUrgentFlag && broken.length > 0;
  const binding = facts.hasUrgentFlag ? broken.filter((rule) => rule.withoutOverride) : broken;
  return {
    outcome: precedence.find((outcome) => binding.some(({ leadsTo }) => leadsTo === outcome)) ?? 'eligible',
    reasons: isOverridden ? [...reasons, 'emergency_override'] : reasons,
  };
}

const mendable = new Set([
  'consent_outdated',
  'answers_missing',
  'photos_missing',
  'retake_photos',
  'guardian_required',
]);

/** As the rules have them: what leads to `ineligible`. */
const refusing = new Set([
  'age_excluded',
  'site_excluded',
  'not_a_member',
  'quota_exceeded',
  'duplicate_case',
]);

/** Why a case is refused, for its patient. What the eligibility service answered about the person is for staff. */
export const refusalsOf = (reasons: readonly string[]): string[] =>
  reasons
    .filter((reason) => refusing.has(codeOf(reason)))
    .map((reason) => (codeOf(reason) === 'not_a_member' ? 'not_a_member' : reason));

/** Whether it is a reason that the patient can mend. */
export const isMendable = (reason: string): boolean => mendable.has(codeOf(reason));

/**
 * A physician has asked the patient something, and the hold ended without the reply. No rule finds it: it stands among the
 * reasons until the patient has replied.
 */
export const openQuestion = 'physician_asked';

/** Whether it is a reason for which a case in the queue takes something from its patient. */
export const isAskedOfPatient = (reason: string): boolean => reason === openQuestion || isMendable(reason);

/** What the reasons of a judgement say of the membership, for another one without asking again. */
export function membershipIn(reasons: readonly string[]): Membership {
  if (reasons.includes('membership_unverified')) return { state: 'unreachable' };
  const refusal = reasons.find((reason) => codeOf(reason) === 'not_a_member');
  if (refusal === undefined) return { state: 'member' };
  const code = refusal.slice('not_a_member:'.length);
  return { state: 'not_a_member', ...(code !== '' && { reason: code }) };
}

/** What is asked of the patient, for a message: the codes of the reasons that they can mend. */
export function requestsToPatient(reasons: readonly string[]): string[] {
  return [...new Set(reasons.filter(isMendable).map(messageCode))];
}

const isCode = (text: string) => /^[a-z0-9_]{1,48}$/.test(text);

/** The codes of reasons without what they are about, each once: few enough for an event. */
export const codesOf = (reasons: readonly string[]): string[] => [...new Set(reasons.map(codeOf))];

/** `retake_photos` of `retake_photos:blurry`. */
const codeOf = (reason: string): string => reason.split(':', 1)[0] ?? reason;

/** Which answers are missing the form shows by itself; what is wrong with a photo only we know. */
const messageCode = (reason: string) => (reason.startsWith('retake_photos:') ? reason : codeOf(reason));

const withArgument = (code: string, argument: string | undefined) =>
  argument === undefined ? code : `${code}:${argument}`;

/** A photo without a verdict may be a good one: only a human can say. */
function retakes(photos: EligibilityFacts['photos']): string[] {
  if (photos.length === 0) return ['photos_missing'];
  if (photos.some((photo) => photo?.isValid !== false)) return [];
  // Words of the AI service that are no codes stay with the verdict: reasons are logged.
  const issues = new Set(photos.flatMap((photo) => photo?.issues ?? []).filter((issue) => isCode(issue)));
  return ['retake_photos', ...[...issues].map((issue) => `retake_photos:${issue}`)];
}
