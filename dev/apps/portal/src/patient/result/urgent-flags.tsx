import type { RedFlags } from 'dermagate-client';
import { texts } from '../../i18n/language.ts';
import type { IntakeSession } from '../intake/intake-session.ts';
import { isOpen } from './assessment.ts';
import { FlagBox } from './red-flags-part.tsx';

/** Shown as soon as an answer raises them, not only at the end. */
export function UrgentFlags({ intake }: { intake: IntakeSession }) {
  const shown = urgentFlagsOf(intake);
  if (shown === undefined) return null;
  return <FlagBox redFlags={shown} title={texts.value.intake.flagTitle} />;
}

/** The urgent flags to show now. */
export function urgentFlagsOf({ asked: { value: asked }, urgentFlags }: IntakeSession): RedFlags | undefined {
  const isBeingAsked = asked.state !== 'asked' || asked.question.safety === true;
  const flags = urgentFlags.value;
  return isBeingAsked ? flags && certainOnes(flags) : flags;
}

/**
 * The urgent flags without the open ones: a question that is still to be asked may exclude those, so they are shown only after
 * the last safety question.
 */
export function certainOnes(redFlags: RedFlags): RedFlags | undefined {
  const { flags, flagDetails = [] } = redFlags;
  const open = new Set(flagDetails.filter(isOpen).map(({ code }) => code));
  const certain = flags.filter((code) => !open.has(code));
  const details = flagDetails.filter((flag) => !isOpen(flag));
  const isUrgent = ({ urgency }: { urgency: string }) => urgency === 'high' || urgency === 'emergency';
  const hasUnnamed = certain.length > details.length;
  if (!details.some(isUrgent) && !hasUnnamed) return undefined;
  const urgency =
    details.some((flag) => flag.urgency === 'emergency') || hasUnnamed ? redFlags.urgency : 'high';
  return { ...redFlags, flags: certain, flagDetails: details, urgency };
}
