import type { CaseAdvice } from 'dermagate-client';
import { emergencyNumber } from '../../gateway/help-lines.ts';
import { FlagBox, OtherFlags } from '../result/red-flags-part.tsx';

/** What must be read at once; above everything else of a case. */
export function Advice({ advice }: { advice: CaseAdvice }) {
  // A gateway from before the numbers were in its advice has them in other replies.
  const { flagDetails, urgency, emergencyNumber: number = emergencyNumber.value, crisisLine } = advice;
  if (flagDetails.length === 0) return null;
  const redFlags = {
    hasRedFlags: true,
    flags: flagDetails.map(({ code }) => code),
    urgency,
    flagDetails,
    ...(number !== undefined && { emergencyNumber: number }),
    ...(crisisLine !== undefined && { crisisLine }),
  };
  return (
    <>
      <FlagBox redFlags={redFlags} />
      <OtherFlags redFlags={redFlags} />
    </>
  );
}
