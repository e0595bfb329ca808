import type {
  AiAgreement,
  CaseDetail,
  ContradictionCode,
  ContradictionReason,
  DermatologistAnnotation,
  DiagnosisInput,
  Language,
  ListedDisease,
  Prediction,
  RecommendedAction,
  Severity,
} from 'dermagate-client';
import type { AnswerBody } from '../../gateway/desk-types.ts';
import { withoutControls } from '../../gateway/without-controls.ts';

export interface TreatmentDraft {
  name: string;
  route: string;
  dosage_text: string;
  duration_text: string;
}

/** An answer while it is written: empty texts instead of null. */
export interface Draft {
  language: Language;
  diagnoses: readonly DiagnosisInput[];
  severity: Severity | null;
  recommended_action: RecommendedAction | null;
  recommendation_text: string;
  treatments: readonly TreatmentDraft[];
  follow_up: { in_days: number | null; how: string };
  referral: { type: string; urgency: string; text: string };
  patient_message: string;
  internal_note: string;
  image_quality_ok: boolean | null;
  ai_agreement: AiAgreement | null;
  acknowledged_flags: readonly string[];
  /** Why it is right although it contradicts the danger of the case. */
  contradiction_reasons: readonly ContradictionReason[];
  /** The same to the patient, where the author wants to say it. */
  urgency_explanation: string;
  template_id: number | null;
}

export const emptyDraft = (language: Language): Draft => ({
  language,
  diagnoses: [],
  severity: null,
  recommended_action: null,
  recommendation_text: '',
  treatments: [],
  follow_up: { in_days: null, how: '' },
  referral: { type: '', urgency: '', text: '' },
  patient_message: '',
  internal_note: '',
  image_quality_ok: null,
  ai_agreement: null,
  acknowledged_flags: [],
  contradiction_reasons: [],
  urgency_explanation: '',
  template_id: null,
});

export function draftOf(answer: DermatologistAnnotation): Draft {
  return {
    language: answer.language,
    diagnoses: answer.diagnoses,
    severity: answer.severity,
    recommended_action: answer.recommended_action,
    recommendation_text: answer.recommendation_text ?? '',
    treatments: answer.treatments.map(({ name, route, dosage_text, duration_text }) => ({
      name,
      route: route ?? '',
      dosage_text: dosage_text ?? '',
      duration_text: duration_text ?? '',
    })),
    follow_up: { in_days: answer.follow_up?.in_days ?? null, how: answer.follow_up?.how ?? '' },
    referral: {
      type: answer.referral?.type ?? '',
      urgency: answer.referral?.urgency ?? '',
      text: answer.referral?.text ?? '',
    },
    patient_message: answer.patient_message ?? '',
    internal_note: answer.internal_note ?? '',
    image_quality_ok: answer.image_quality_ok,
    ai_agreement: answer.ai_agreement,
    acknowledged_flags: answer.acknowledged_flags,
    contradiction_reasons: answer.contradiction_reasons,
    urgency_explanation: answer.urgency_explanation ?? '',
    template_id: answer.template_id,
  };
}

const orNull = (text: string) => (text.trim() === '' ? null : withoutControls(text));

/** How many flags the gateway asks for at most, and how long their codes may be. */
const mostFlags = 200;
const longestFlag = 200;
const isNameable = (code: string) => code !== '' && code.length <= longestFlag;

/** What is sent: all but the parts of {@link incompleteIn}. */
export function bodyOf(draft: Draft): AnswerBody {
  const { follow_up: followUp, referral } = draft;
  return {
    ...draft,
    diagnoses: [...draft.diagnoses],
    acknowledged_flags: draft.acknowledged_flags.filter(isNameable),
    contradiction_reasons: draft.contradiction_reasons
      .filter(({ reason }) => reason.trim() !== '')
      .map(({ code, reason }) => ({ code, reason: withoutControls(reason) })),
    urgency_explanation: orNull(draft.urgency_explanation),
    recommendation_text: orNull(draft.recommendation_text),
    patient_message: orNull(draft.patient_message),
    internal_note: orNull(draft.internal_note),
    treatments: draft.treatments
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, ...rest }) => ({
        name: withoutControls(name),
        route: orNull(rest.route),
        dosage_text: orNull(rest.dosage_text),
        duration_text: orNull(rest.duration_text),
      })),
    follow_up: followUp.in_days === null ? null : { in_days: followUp.in_days, how: orNull(followUp.how) },
    referral:
      referral.type.trim() === ''
        ? null
        : {
            type: withoutControls(referral.type),
            urgency: orNull(referral.urgency),
            text: orNull(referral.text),
          },
  };
}

/** Whether the gateway stores the same for both: it trims texts and composes their letters. */
export function isSameBody(a: Draft, b: Draft): boolean {
  const stored = (draft: Draft) =>
    JSON.stringify(bodyOf(draft), (_, value: unknown) =>
      typeof value === 'string' ? value.trim().normalize() : value,
    );
  return stored(a) === stored(b);
}

/** As many as the gateway takes. */
export const MOST_DIAGNOSES = 5;

/** Adds a diagnosis; the first one is the main one. Nothing where it is stated already, or five are. */
export function withDiagnosis(draft: Draft, added: Omit<DiagnosisInput, 'certainty' | 'is_primary'>): Draft {
  const { diagnoses } = draft;
  const isStated = diagnoses.some(({ code, text }) => code === added.code && text === added.text);
  if (isStated || diagnoses.length >= MOST_DIAGNOSES) return draft;
  const isPrimary = !diagnoses.some(({ is_primary: primary }) => primary);
  return { ...draft, diagnoses: [...diagnoses, { ...added, certainty: 'probable', is_primary: isPrimary }] };
}

/**
 * A finding names its disease by code; the answer needs the entry of the catalogue. Where that has none, or has it for old
 * answers only, the name is stated as free text: the gateway would store no draft that names the disease.
 *
 * @param listed what the catalogue has; undefined where it could not be read.
 */
export function statementOf(
  { disease, name = disease }: Pick<Prediction, 'disease' | 'name'>,
  listed: readonly ListedDisease[] | undefined,
): Omit<DiagnosisInput, 'certainty' | 'is_primary'> {
  const entry = listed?.find(({ code }) => code === disease);
  const text = entry?.name ?? name;
  if (listed !== undefined && entry?.active !== true) {
    return { disease_id: null, code: entry?.icd10 ?? '', code_system: 'icd10', text };
  }
  return {
    disease_id: entry?.disease_id ?? entry?.id ?? null,
    code: disease,
    code_system: 'dermagate',
    text,
  };
}

/** Removes one; the first of the others takes the place of the main one. */
export function withoutDiagnosis(draft: Draft, index: number): Draft {
  const rest = draft.diagnoses.filter((_, at) => at !== index);
  const hasPrimary = rest.some(({ is_primary: primary }) => primary);
  return {
    ...draft,
    diagnoses: rest.map((each, at) => (hasPrimary || at > 0 ? each : { ...each, is_primary: true })),
  };
}

/** Characters of a reason, as many as the gateway takes. */
export const MOST_REASON = 400;

/** The reasons with another one for `code`. */
export const withReason = (
  { contradiction_reasons: reasons }: Pick<Draft, 'contradiction_reasons'>,
  code: ContradictionCode,
  reason: string,
): ContradictionReason[] => [...reasons.filter((each) => each.code !== code), { code, reason }];

/** A part of which something is stated, but not what it needs to be stored at all. */
export type Incomplete = 'treatments' | 'follow_up' | 'referral';

export function incompleteIn({ treatments, follow_up: followUp, referral }: Draft): Incomplete[] {
  const isStated = (...texts: string[]) => texts.some((text) => text.trim() !== '');
  const incomplete: Incomplete[] = [];
  if (
    treatments.some(
      ({ name, route, dosage_text: dosage, duration_text: duration }) =>
        !isStated(name) && isStated(route, dosage, duration),
    )
  ) {
    incomplete.push('treatments');
  }
  if (followUp.in_days === null && isStated(followUp.how)) incomplete.push('follow_up');
  if (!isStated(referral.type) && isStated(referral.urgency, referral.text)) incomplete.push('referral');
  return incomplete;
}

export type Missing =
  | Incomplete
  | 'diagnoses'
  | 'primary'
  | 'excluded'
  | 'recommended_action'
  | 'image_quality_ok'
  | 'flags';

/** The red flags that must be marked as seen before signing. */
export const urgentFlags = ({ flag_details: flags }: Pick<CaseDetail, 'flag_details'>): string[] =>
  flags
    .filter(({ urgency }) => urgency === 'high' || urgency === 'emergency')
    .map(({ code }) => code)
    .filter(isNameable);

/** What a signature still needs, in the order of the form. */
export function missingIn(draft: Draft, urgent: readonly string[]): Missing[] {
  const primary = draft.diagnoses.find(({ is_primary: isPrimary }) => isPrimary);
  const missing: Missing[] = [];
  const seen = urgent.filter((code) => draft.acknowledged_flags.includes(code));
  if (seen.length < Math.min(urgent.length, mostFlags)) missing.push('flags');
  if (draft.diagnoses.length === 0) missing.push('diagnoses');
  else if (primary === undefined) missing.push('primary');
  else if (primary.certainty === 'excluded') missing.push('excluded');
  if (draft.image_quality_ok === null) missing.push('image_quality_ok');
  if (draft.recommended_action === null) missing.push('recommended_action');
  return [...missing, ...incompleteIn(draft)];
}

/** Whether two readings of a case are about the same: what an answer rests on. */
export function isSameCase(a: CaseDetail, b: CaseDetail): boolean {
  const basis = ({ patient, anamnesis, images, flag_details: flags }: CaseDetail) =>
    JSON.stringify([
      patient.uuid,
      anamnesis,
      images.map(({ uuid }) => uuid).toSorted(),
      flags.map(({ code, urgency }) => [code, urgency].join()).toSorted(),
    ]);
  return basis(a) === basis(b);
}

/** The parts in which two drafts differ. */
export function differences(mine: Draft, theirs: Draft): (keyof Draft)[] {
  const keys = Object.keys(mine) as (keyof Draft)[];
  return keys.filter((key) => JSON.stringify(mine[key]) !== JSON.stringify(theirs[key]));
}
