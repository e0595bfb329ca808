import type { MobileCase } from 'dermagate-client';
import type { IntakeSession } from '../intake/intake-session.ts';
import { go } from '../../session/route.ts';

/** Whether the answers in this tab are those that the clinic has asked for. */
export function isAnswered({ uuid, patient_status: status }: MobileCase, { intake }: IntakeSession): boolean {
  const { case: own } = intake.value;
  return status !== 'draft' && own?.uuid === uuid && own.held === true;
}

/**
 * Goes on with a case whose answers are at the gateway. A draft becomes the intake of this tab, and each of its answers can
 * be changed; of a case that was submitted only what is missing is asked.
 */
export function continueDraft(shown: MobileCase, intake: IntakeSession): void {
  const { uuid, version, anamnesis, images, patient, patient_status: status } = shown;
  const own = intake.intake.value.case;
  const clientId = own?.uuid === uuid ? own.clientId : crypto.randomUUID();
  if (status !== 'draft') {
    const known = { clientId, uuid, version, held: true as const };
    if (!isAnswered(shown, intake)) {
      intake.apply({ type: 'draft-continued', base: anamnesis, case: known });
    } else if (own?.version !== version) {
      // The answers in this tab were not sent yet; with the version from before, the gateway would refuse them.
      intake.apply({ type: 'case-known', base: anamnesis, case: known });
      intake.ask();
    }
  } else if (own?.uuid !== uuid || own.version !== version) {
    const judged = images.map(({ url, quality }) => {
      if (quality === null) return { url };
      const { isValid, score } = quality;
      return { url, quality: { isValid, score, measuredBy: 'ai_service' as const } };
    });
    const found = { ...anamnesis, ...(judged.length > 0 && { images: judged }) };
    const person = { uuid: patient.uuid, relation: patient.relation };
    const known = { clientId, uuid, version, stored: true as const };
    // A draft is the account owner's until a person is chosen; the answers that follow may be about a child.
    const isChosen = person.relation !== 'self';
    intake.apply({ type: 'draft-continued', found, case: known, ...(isChosen && { person }) });
  }
  go('/intake');
}
