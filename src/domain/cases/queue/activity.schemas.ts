import { z } from 'zod';
import { Timestamp } from '../../../contract/timestamp.ts';

export const ActivityChange = z
  .strictObject({
    physician_uuid: z
      .uuid()
      .optional()
      .meta({ description: 'For admins: the physician; by default the caller.' }),
    vacation_mode: z.boolean().meta({ description: 'Whether the physician is away.' }),
    until: z.iso
      .datetime({ offset: true })
      .transform((text) => new Date(text))
      .nullable()
      .optional()
      .meta({ description: 'When the vacation ends by itself; it does not where absent.' }),
    hand_back: z
      .boolean()
      .default(true)
      .meta({
        description:
          'Whether what waits for this physician alone goes back to the queue at once. With `false` technical holds stay; ' +
          'reserved cases go back within a minute all the same, because they would wait for one who is away.',
      }),
  })
  .refine(({ vacation_mode: isAway, until }) => isAway || until == null, {
    path: ['until'],
    error: 'Only a vacation has an end.',
  })
  .meta({ id: 'ActivityChange', description: 'Whether a physician takes cases.' });
export type ActivityChange = z.output<typeof ActivityChange>;

export const Activity = z
  .object({
    vacation_mode: z.boolean().meta({ description: 'Whether the physician is away.' }),
    until: Timestamp.nullable().meta({ description: 'When the vacation ends by itself.' }),
    handed_back: z.int().meta({ description: 'Cases that went back to the queue.' }),
  })
  .meta({ id: 'PhysicianActivity', description: 'Whether a physician takes cases.' });
export type Activity = z.input<typeof Activity>;
