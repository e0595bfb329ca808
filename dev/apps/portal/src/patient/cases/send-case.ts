import type { CaseCreation, CaseUpdate, MobileCase } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import type { Intake, IntakeCase } from '../intake/intake.ts';
import { isContained } from '../intake/found-answers.ts';
import { contentOf } from './case-content.ts';

export interface Choice {
  personUuid: string | undefined;
  /** Version of the text that the patient has agreed to; undefined for a draft. */
  consent: string | undefined;
  language: 'en' | 'he' | 'ar' | 'es';
}

export interface SendPorts {
  createCase: (body: CaseCreation, key: string) => Promise<Outcome<MobileCase>>;
  updateCase: (body: CaseUpdate & { version: number }) => Promise<Outcome<MobileCase>>;
  readCase: (uuid: string) => Promise<Outcome<MobileCase>>;
  keyFor: (content: unknown) => string;
  /** Stores what is known of the case before the call, so that a reload repeats it with the same id. */
  remember: (known: IntakeCase) => void;
}

/**
 * Makes the intake's case, or changes its draft; with a consent it is sent to the doctors, otherwise it stays a draft.
 * However often it is tried, there is one case.
 */
export async function sendCase(
  intake: Intake,
  { personUuid, consent, language }: Choice,
  { keyFor, remember, readCase, ...calls }: SendPorts,
): Promise<Outcome<MobileCase>> {
  const known = intake.case ?? { clientId: crypto.randomUUID() };
  if (intake.case === undefined) remember(known);
  const submit = consent !== undefined;
  const content = {
    ...contentOf(intake),
    // Of a case that the service holds the gateway refuses another person.
    ...(known.held !== true && { patient_uuid: personUuid }),
    submit,
    ...(submit && { consent: { version: consent, accepted: true as const } }),
  };
  const change = async (uuid: string, version: number) => {
    const updated = await calls.updateCase({ ...content, uuid, version });
    return updated.ok || !submit ? updated : await afterLostReply(updated, uuid, intake, readCase);
  };
  const make = async () => {
    if (known.creation === undefined)
      return await calls.createCase(
        ...withKey({ ...content, language, client_case_id: known.clientId }, keyFor),
      );
    // The gateway may have made the draft already: nothing else makes the same case.
    const draft = await calls.createCase(known.creation, known.clientId);
    return draft.ok ? await change(draft.value.uuid, draft.value.version) : draft;
  };
  const outcome =
    known.uuid === undefined || known.version === undefined
      ? await make()
      : await change(known.uuid, known.version);
  if (outcome.ok) {
    const { uuid, version } = outcome.value;
    remember({ clientId: known.clientId, uuid, version, ...(submit ? { sent: true } : { stored: true }) });
  }
  return outcome;
}

/** An earlier attempt may have sent these answers although its reply was lost. */
async function afterLostReply(
  refused: Outcome<MobileCase>,
  uuid: string,
  intake: Intake,
  readCase: SendPorts['readCase'],
): Promise<Outcome<MobileCase>> {
  const code = refused.ok ? undefined : refused.failure.code;
  if (code !== 'version_conflict' && code !== 'case_state_conflict') return refused;
  const read = await readCase(uuid);
  if (!read.ok) return refused;
  const { patient_status: status, submitted_at: submitted, anamnesis } = read.value;
  const isSent = submitted !== null && status !== 'draft' && status !== 'cancelled';
  return isSent && isContained(contentOf(intake).anamnesis, anamnesis) ? read : refused;
}

const withKey = <Body>(body: Body, keyFor: (content: unknown) => string): [Body, string] => [
  body,
  keyFor(body),
];
