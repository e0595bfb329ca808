import type { PhysicianDetails } from 'dermagate-client';
import { officeTexts } from '../i18n/texts.ts';

/** Whether a physician is offered cases, and why not. */
export function PhysicianState({ physician }: { physician: PhysicianDetails }) {
  const { accounts, physicians } = officeTexts.value;
  const { active: isActive, vacation_mode: isAway } = physician;
  return (
    <span class="badges">
      {!isActive && <span class="badge bad">{accounts.inactive}</span>}
      {isAway && <span class="badge warn">{physicians.away}</span>}
      {isActive && !isAway && <span class="badge good">{physicians.here}</span>}
    </span>
  );
}
