import { z } from 'zod';
import { helpLineFields, ownHelpLines, replyNotes } from '../ai-calls/reply-fields.ts';

export const RedFlagUrgency = z
  .enum(['low', 'medium', 'high', 'emergency'])
  .meta({ id: 'RedFlagUrgency', description: 'How urgent a red flag is.' });
export type RedFlagUrgency = z.infer<typeof RedFlagUrgency>;

export const FlagCertainty = z.enum(['met', 'not_excluded']).meta({
  id: 'FlagCertainty',
  description:
    'Whether the answers meet the rule, or a key finding is there and open answers keep the rule from being excluded. ' +
    'A flag that is not excluded is one step less urgent than one that is met.',
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

/** On the wire, to clients and from the AI service. `flagDetails` is additive: the contract has the other three. */
export const RedFlags = z
  .object({
    hasRedFlags: z.boolean().describe('Whether there is any flag. `false` is no all-clear.'),
    flags: z.array(z.string()).describe('Stable codes, such as `possible_sepsis`.'),
    urgency: RedFlagUrgency.describe('The highest of the flags; `low` when there is none.'),
    flagDetails: z.array(FlagDetail).optional().describe('The same flags in words.'),
    ...replyNotes,
    ...helpLineFields,
  })
  .meta({ id: 'RedFlags', description: 'Signs that need a physician soon, or emergency services at once.' });
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

/** `low` when there is none. */
export function highestUrgency(urgencies: readonly RedFlagUrgency[]): RedFlagUrgency {
  return urgencies.toSorted(compareUrgency).at(-1) ?? 'low';
}
