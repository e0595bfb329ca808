import { z } from 'zod';

const CaseUuid = z.uuid().meta({ description: 'A case of the caller’s account.' });

export const RequestedMail = z
  .discriminatedUnion('template', [
    z.strictObject({
      template: z.literal('support_request').meta({ description: 'To the clinic’s support.' }),
      message: z
        .string()
        .trim()
        .min(1)
        .max(2000)
        .refine((value) => !/(?!\n)\p{Cc}/u.test(value), { error: 'Must not contain control characters.' })
        .meta({ description: 'What the caller needs help with.' }),
      case_uuid: CaseUuid.optional().meta({ description: 'The case that it is about.' }),
    }),
    z.strictObject({
      template: z.literal('case_answer_link').meta({ description: 'To the caller: a link to an answer.' }),
      case_uuid: CaseUuid,
    }),
  ])
  .meta({ id: 'RequestedMail', description: 'A mail; the template determines the recipient.' });
export type RequestedMail = z.infer<typeof RequestedMail>;
