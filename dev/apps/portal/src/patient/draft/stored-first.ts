import type { Outcome } from '../../gateway/attempt.ts';
import type { Failure } from '../../gateway/failure.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { draftSaver } from './current-draft.ts';

/** Of answers that make no draft, as a case waits for them or their person is unknown. */
export const notStorable: Failure = { code: 'unexpected', fields: {} };

/** Whether answers are in this tab only. */
export function isHereOnly({ intake: { value } }: IntakeSession): boolean {
  const { steps, case: known } = value.before ?? value;
  return steps.length > 0 && known?.sent !== true && known?.stored !== true;
}

/** Stores the answers of this tab before other ones replace them. Fails where these would be lost. */
export async function storeFirst(intake: IntakeSession): Promise<Outcome<undefined>> {
  await draftSaver.value?.flush();
  if (!isHereOnly(intake)) return { ok: true, value: undefined };
  const now = draftSaver.value?.state.value;
  const isHeld = intake.intake.value.case?.held === true;
  return { ok: false, failure: now?.state === 'failed' && !isHeld ? now.failure : notStorable };
}
