import type { NextQuestion, RedFlags } from 'dermagate-client';

/** The red flags because of which the questions have ended; undefined where they go on or have ended as usual. */
export function emergencyOf(end: NextQuestion): RedFlags | undefined {
  const { emergency, emergencyDetails: flagDetails = [], emergencyNumber, crisisLine } = end;
  if (emergency === undefined) return undefined;
  return {
    hasRedFlags: true,
    flags: emergency,
    urgency: 'emergency',
    flagDetails,
    ...(emergencyNumber !== undefined && { emergencyNumber }),
    ...(crisisLine !== undefined && { crisisLine }),
  };
}
