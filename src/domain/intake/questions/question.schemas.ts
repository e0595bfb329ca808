import { z } from 'zod';
import { helpLineFields, ownHelpLines, replyNotes } from '../ai-calls/reply-fields.ts';
import { FlagDetail } from '../red-flags/red-flags.schemas.ts';

export const QuestionType = z
  .enum(['camera', 'bool', 'radio', 'checkbox', 'number', 'text'])
  .meta({ id: 'QuestionType', description: 'How a question is answered.' });
export type QuestionType = z.infer<typeof QuestionType>;

/** Characters that a `questionId` may have. */
export const longestQuestionId = 60;

/**
 * Sent to clients and received from the AI service. The first six members are the contract's; the others are additive:
 * what a client needs to show the question and to check its answer.
 */
export const NextQuestion = z
  .object({
    questionId: z
      .string()
      .max(longestQuestionId)
      .describe('Such as `q_duration`; in a loop with the item’s index, `q_med_name[0]`. Empty at the end.'),
    questionText: z.string().max(500).describe('In the language of the request. Empty at the end.'),
    questionType: QuestionType,
    fieldName: z
      .string()
      .max(100)
      .describe(
        'Where the answer goes in the anamnesis: a dotted path, in a loop with the item’s index (`medications[0].name`). `locations[].primary` makes one item per chosen value; `locations[0].secondary` puts the first chosen value on that item and makes one more item with the same `primary` for each further one; `images` appends `{ url }`; `medications` is `[]` for no and `[{}]` for yes. Empty at the end.',
      ),
    options: z.array(z.string().max(300)).max(100).describe('Labels, in the language of the request.'),
    isComplete: z.boolean().describe('No question is left: continue with image review and submission.'),
    optionValues: z
      .array(z.union([z.string().max(100), z.boolean()]))
      .max(100)
      .optional()
      .describe(
        'Values of the options, in the same order: store that of the chosen one. `none` excludes every other value.',
      ),
    required: z.boolean().optional().describe('The anamnesis is not complete without this answer.'),
    skippable: z
      .boolean()
      .optional()
      .describe('May be skipped: from then on, send its `questionId` in `skippedQuestions`.'),
    safety: z
      .boolean()
      .optional()
      .describe('A safety rule needs the answer: without it, danger may not be excluded.'),
    min: z
      .number()
      .optional()
      .describe('Smallest number; for `checkbox` the fewest choices; for `text` the fewest characters.'),
    max: z
      .number()
      .optional()
      .describe('Largest number; for `checkbox` the most choices; for `text` the most characters.'),
    step: z.number().positive().optional().describe('Step of a number; 1 for whole numbers.'),
    unit: z.string().max(20).optional().describe('Unit of a number, such as `°C`.'),
    help: z.string().max(1000).optional().describe('How to answer, in the language of the request.'),
    progress: z.number().min(0).max(1).optional().describe('Share of the questionnaire that is done.'),
    emergency: z
      .array(z.string())
      .optional()
      .describe('Red flags that ended the questionnaire: show their advice instead of submitting.'),
    emergencyDetails: z.array(FlagDetail).optional().describe('The same flags in words.'),
    machineDrafted: z
      .boolean()
      .optional()
      .describe('The texts were translated by a machine and no native clinician has reviewed them yet.'),
    ...replyNotes,
    ...helpLineFields,
  })
  .meta({ id: 'NextQuestion', description: 'The next question of the questionnaire, or its end.' });
export type NextQuestion = z.infer<typeof NextQuestion>;

/** What the AI service replies. A reply that a client could not act on is refused. */
export const NextQuestionReply = NextQuestion.omit(ownHelpLines)
  .extend({
    emergency: z.array(z.string().max(100)).max(100).optional(),
    emergencyDetails: z.array(FlagDetail).max(100).optional(),
  })
  .refine((reply) => !asks(reply) || (reply.questionId !== '' && reply.fieldName !== ''), {
    error: 'a question has an id and a field',
  })
  .refine(
    ({ options, optionValues }) => optionValues === undefined || optionValues.length === options.length,
    {
      error: 'every option has its value',
    },
  )
  .refine(
    (reply) => !asks(reply) || [reply.questionText, ...reply.options].every((text) => text.trim() !== ''),
    {
      error: 'a question and its options have words',
    },
  )
  .refine((reply) => !asks(reply) || reply.skippable === true || hasAnswer(reply), {
    error: 'a question that has to be answered has an answer',
  });

/** With an emergency the questions end, even if another is asked beside it. */
const asks = ({
  isComplete,
  emergency = [],
  emergencyDetails = [],
}: Pick<NextQuestion, 'isComplete' | 'emergency' | 'emergencyDetails'>): boolean =>
  !isComplete && emergency.length === 0 && !emergencyDetails.some(({ urgency }) => urgency === 'emergency');

/** Whether the bounds of a question let an answer through. A question for yes or no without options gets ours. */
function hasAnswer({ questionType, options, min = -Infinity, max = Infinity }: NextQuestion): boolean {
  if (questionType === 'radio') return options.length > 0;
  if (questionType !== 'checkbox') return questionType === 'bool' || min <= max;
  const least = Math.max(min, 1);
  return least <= max && least <= options.length;
}
