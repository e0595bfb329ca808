import type { PhysicianDetails } from 'dermagate-client';
import { officeTexts } from '../i18n/texts.ts';

/** Whether a physician is offered cases, and why not. */
export function PhysicianState({ physician }: { physician: PhysicianDetails }) {
  const { accounts, physicians } = officeTexts.value;
  if (!physician.active) return <span class="badge bad">{accounts.inactive}</span>;
  return physician.vacation_mode ? (
    <span class="badge warn">{physicians.away}</span>
  ) : (
    <span class="badge good">{physicians.here}</span>
  );
}
