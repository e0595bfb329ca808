import type { RedFlags, Triage } from '../../packages/client/src/index.ts';
import { type Channel, mayDependOn, type Trial } from './try-vignette.ts';
import { isMoreUrgent } from './vignette.ts';

export const faultKinds = [
  'refused',
  'under-triaged',
  'over-triaged',
  'contradictory',
  'fragile',
  'asked twice',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  kind: FaultKind;
  channel: Channel;
  id: string;
  title: string;
  why: string;
}

/** The faults in the gateway's replies. */
export function faultsOf({
  vignette,
  channel,
  refusal,
  redFlags,
  triage,
  intake,
  withoutOne,
}: Trial): Fault[] {
  const { id, title, must } = vignette;
  const fault = (kind: FaultKind, why: string): Fault => ({ kind, channel, id, title, why });
  const repeated = (intake?.repeated ?? []).map((questionId) => fault('asked twice', questionId));
  if (redFlags === undefined || triage === undefined) {
    return [fault('refused', refusal ?? 'no answer'), ...repeated];
  }
  const { priority } = triage;
  const says = `${priority}, ${flagsInWords(redFlags)}`;
  const isExcused = intake?.skipped.some((fieldName) => mayDependOn(must, fieldName)) ?? false;
  return [
    ...(isMoreUrgent(must.minTriage, priority) && !isExcused
      ? [fault('under-triaged', `${says}; needs ${must.minTriage}`)]
      : []),
    ...(isMoreUrgent(priority, must.maxTriage)
      ? [fault('over-triaged', `${says}; at most ${must.maxTriage}`)]
      : []),
    ...contradictionsOf(redFlags, triage, intake?.emergency).map((why) => fault('contradictory', why)),
    ...(canWait(priority) ? [] : (withoutOne ?? []))
      .filter(({ level }) => canWait(level))
      .map(({ fieldName, level }) =>
        fault('fragile', `without ${fieldName} ${level} instead of ${priority}`),
      ),
    ...repeated,
  ];
}

const canWait = (level: Triage['priority']) => !isMoreUrgent(level, 'routine');

function flagsInWords({ flags, flagDetails = [] }: RedFlags): string {
  const words = flags.map((flag) => {
    const detail = flagDetails.find(({ code }) => code === flag);
    if (detail === undefined) return flag;
    return `${flag} (${detail.urgency}${detail.certainty === 'not_excluded' ? ', not excluded' : ''})`;
  });
  return words.length === 0 ? 'no flag' : words.join(', ');
}

const levelOfUrgency = {
  emergency: 'emergency',
  high: 'urgent_24h',
  medium: 'soon_2_weeks',
  low: undefined,
} as const;

/** Contradictions between flags, level and the end of the questions. */
function contradictionsOf(
  { hasRedFlags, flags, urgency, flagDetails = [] }: RedFlags,
  { priority, reasons }: Triage,
  emergency: readonly string[] = [],
): string[] {
  const urgencies = [urgency, ...flagDetails.map((detail) => detail.urgency)];
  const tooHigh = flags.length === 0 ? undefined : urgencies.find((it) => isAbove(it, priority));
  return [
    ...(tooHigh === undefined ? [] : [`a flag of urgency ${tooHigh} with the level ${priority}`]),
    ...(isMoreUrgent(priority, 'soon_2_weeks') && (flags.length === 0 || !hasRedFlags)
      ? [`the level ${priority} with ${hasRedFlags ? 'no flag' : 'hasRedFlags: false'}`]
      : []),
    ...(hasRedFlags === flags.length > 0 ? [] : [`hasRedFlags: ${hasRedFlags} with ${flags.length} flags`]),
    ...(reasons.length > 0 ? [] : [`the level ${priority} without a reason`]),
    ...(emergency.length === 0 || priority === 'emergency'
      ? []
      : [`an intake that ${emergency.join(', ')} ended, with the level ${priority}`]),
  ];
}

function isAbove(urgency: RedFlags['urgency'], priority: Triage['priority']): boolean {
  const needed = levelOfUrgency[urgency];
  return needed !== undefined && isMoreUrgent(needed, priority);
}
