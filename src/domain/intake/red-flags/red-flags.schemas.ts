import { z } from 'zod';
import { helpLineFields, ownHelpLines, replyNotes } from '../ai-calls/reply-fields.ts';

export const RedFlagUrgency = z
  .enum(['low', 'medium', 'high', 'emergency'])
  .meta({ id: 'RedFlagUrgency', description: 'How urgent a red flag is.' });
export type RedFlagUrgency = z.infer<typeof RedFlagUrgency>;

export const FlagCertainty = z.enum(['met', 'not_excluded']).meta({
  id: 'FlagCertainty',
  description:
    '`met`: the answers meet the rule. `not_excluded`: its key finding is present, and only open answers prevent its ' +
    'exclusion; such a flag is one step less urgent.',
});
export type FlagCertainty = z.infer<typeof FlagCertainty>;

export const FlagDetail = z
  .object({
    code: z.string().describe('The flag that this explains.'),
    text: z.string().describe('What it means for the patient, in the language of the request.'),
    urgency: RedFlagUrgency,
    certainty: FlagCertainty.optional(),
  })
  .meta({ id: 'FlagDetail', description: 'A red flag in words.' });
export type FlagDetail = z.infer<typeof FlagDetail>;

/** Sent to clients and received from the AI service. `flagDetails` is additive: the contract has the other three. */
export const RedFlags = z
  .object({
    hasRedFlags: z.boolean().describe('Whether there is any flag. `false` is not an all-clear.'),
    flags: z.array(z.string()).describe('Stable codes, such as `possible_sepsis`.'),
    urgency: RedFlagUrgency.describe('The highest of the flags; `low` when there is none.'),
    flagDetails: z.array(FlagDetail).optional().describe('The same flags in words.'),
    ...replyNotes,
    ...helpLineFields,
  })
  .meta({
    id: 'RedFlags',
    description: 'Signs that need a physician soon or the emergency services at once.',
  });
export type RedFlags = z.infer<typeof RedFlags>;

/** What the AI service replies; one that contradicts itself is refused. */
export const RedFlagsReply = RedFlags.omit(ownHelpLines).refine(
  (reply) => reply.hasRedFlags || reply.flags.length === 0,
  { error: 'flags without hasRedFlags contradict each other' },
);

/** Negative when `a` is less urgent than `b`. */
export function compareUrgency(a: RedFlagUrgency, b: RedFlagUrgency): number {
  return RedFlagUrgency.options.indexOf(a) - RedFlagUrgency.options.indexOf(b);
}

/** The most urgent first; of two that are equally urgent the one that is met, as one without a certainty is. */
export function bySeverity(a: FlagDetail, b: FlagDetail): number {
  const isMet = ({ certainty }: FlagDetail) => (certainty === 'not_excluded' ? 0 : 1);
  return compareUrgency(b.urgency, a.urgency) || isMet(b) - isMet(a);
}

/** Of details of the same flag the most severe one. */
export const oncePerFlag = (details: readonly FlagDetail[]): FlagDetail[] =>
  [...Map.groupBy(details, ({ code }) => code).values()].flatMap((same) =>
    same.toSorted(bySeverity).slice(0, 1),
  );

/** Whether a physician must look soon or at once: high or emergency. */
export const isUrgent = (urgency: string | null): boolean => urgency === 'high' || urgency === 'emergency';

/** `low` when there is none. */
export function highestUrgency(urgencies: readonly RedFlagUrgency[]): RedFlagUrgency {
  return urgencies.toSorted(compareUrgency).at(-1) ?? 'low';
}
