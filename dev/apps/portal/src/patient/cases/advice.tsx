import type { CaseAdvice, RedFlags } from 'dermagate-client';
import { emergencyNumber } from '../../gateway/help-lines.ts';
import { FlagBox, OtherFlags } from '../result/red-flags-part.tsx';

/** The flags of a case; undefined where it has none. */
export function flagsOfCase(advice: CaseAdvice | null): RedFlags | undefined {
  if (advice === null || advice.flagDetails.length === 0) return undefined;
  // A gateway from before the numbers were in its advice has them in other replies.
  const { flagDetails, urgency, emergencyNumber: number = emergencyNumber.value, crisisLine } = advice;
  return {
    hasRedFlags: true,
    flags: flagDetails.map(({ code }) => code),
    urgency,
    flagDetails,
    ...(number !== undefined && { emergencyNumber: number }),
    ...(crisisLine !== undefined && { crisisLine }),
  };
}

/** What must be read at once; above everything else of a case. */
export function Advice({ advice }: { advice: CaseAdvice }) {
  const redFlags = flagsOfCase(advice);
  if (redFlags === undefined) return null;
  return (
    <>
      <FlagBox redFlags={redFlags} />
      <OtherFlags redFlags={redFlags} />
    </>
  );
}
