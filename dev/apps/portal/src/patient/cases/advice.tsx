import type { CaseAdvice } from 'dermagate-client';
import { emergencyNumber } from '../../gateway/help-lines.ts';
import { FlagBox } from '../result/red-flags-part.tsx';

/** What must be read at once; above everything else of a case. */
export function Advice({ advice }: { advice: CaseAdvice }) {
  const { flagDetails, urgency } = advice;
  if (flagDetails.length === 0) return null;
  const redFlags = {
    hasRedFlags: true,
    flags: flagDetails.map(({ code }) => code),
    urgency,
    flagDetails,
    ...(emergencyNumber.value !== undefined && { emergencyNumber: emergencyNumber.value }),
  };
  return <FlagBox redFlags={redFlags} />;
}
