import { z } from 'zod';
import { EventCategory } from '../../../contract/audit.ts';
import { Role } from '../../../contract/role.ts';
import { Moment, Timestamp } from '../../../contract/timestamp.ts';
import { PageQuery } from '../../../lib/paging/page.ts';

export const EventOutcome = z.enum(['success', 'failure', 'denied']).meta({
  id: 'EventOutcome',
  description: 'Whether it was done, failed, or was refused to the caller.',
});

const ActorKind = z
  .enum(['user', 'system', 'api_key', 'anonymous'])
  .meta({ id: 'EventActorKind', description: 'Who caused an event.' });

export const TrailEvent = z
  .object({
    uuid: z.uuid().meta({ description: 'Identifies the event.' }),
    at: Timestamp.meta({ description: 'When it happened.' }),
    category: EventCategory,
    action: z.string().meta({ description: 'What was done or tried.' }),
    outcome: EventOutcome,
    actor: z
      .object({
        kind: ActorKind,
        uuid: z
          .uuid()
          .nullable()
          .meta({ description: 'The account; null after its erasure and for others.' }),
        role: Role.nullable().meta({ description: 'Of the account, as it is now.' }),
        display_name: z.string().nullable().meta({ description: 'Of a physician.' }),
        email: z.string().nullable().meta({ description: 'Address of the account, as it is now.' }),
      })
      .meta({ id: 'TrailActor', description: 'Who caused an event.' }),
    subject: z
      .object({
        kind: z.string().meta({ description: 'Such as `case`, `user`, `group`.' }),
        uuid: z.uuid().meta({ description: 'Identifies it.' }),
      })
      .meta({ id: 'TrailSubject', description: 'What an event is about.' })
      .nullable()
      .meta({ description: 'Null where it is about nothing in particular.' }),
    case_uuid: z.uuid().nullable().meta({ description: 'The case that it belongs to.' }),
    patient_uuid: z.uuid().nullable().meta({ description: 'The patient concerned.' }),
    session_uuid: z.uuid().nullable().meta({ description: 'The session in which it was done.' }),
    request_id: z.string().nullable().meta({ description: 'As in the header `x-request-id`.' }),
    ip_prefix: z.string().nullable().meta({ description: 'Network of the client: /24 or /64.' }),
    detail: z.record(z.string(), z.unknown()).meta({ description: 'Ids, codes and counts, by action.' }),
  })
  .meta({ id: 'TrailEvent', description: 'One row of the append-only event log.' });
export type TrailEvent = z.input<typeof TrailEvent>;

const listOf = <Item extends z.ZodType<unknown, string>>(item: Item, max: number) =>
  z
    .string()
    .max(1000)
    .transform((text) => text.split(','))
    .pipe(z.array(item).min(1).max(max));

const id = z.uuid().toLowerCase().optional();

const filters = {
  case_uuid: id.meta({ description: 'Events of this case.' }),
  patient_uuid: id.meta({ description: 'Events that concern this patient.' }),
  user_uuid: id.meta({ description: 'Events about this account. What it did itself: `actor_uuid`.' }),
  actor_uuid: id.meta({ description: 'What this account did or tried.' }),
  category: listOf(EventCategory, 6)
    .optional()
    .meta({ description: 'Categories, separated by commas.', examples: ['access,case'] }),
  action: listOf(z.string().regex(/^[a-z0-9_.]{1,64}$/), 20)
    .optional()
    .meta({ description: 'Actions, separated by commas.', examples: ['case_read,image_read'] }),
  outcome: EventOutcome.optional(),
  from: Moment.optional().meta({ description: 'This moment or later.' }),
  to: Moment.optional().meta({ description: 'Earlier than this moment.' }),
};

interface Named {
  case_uuid?: string | undefined;
  patient_uuid?: string | undefined;
  user_uuid?: string | undefined;
  actor_uuid?: string | undefined;
}
const namesOne = ({ case_uuid, patient_uuid, user_uuid, actor_uuid }: Named) =>
  [case_uuid, patient_uuid, user_uuid, actor_uuid].some((each) => each !== undefined);
const unnamed = { path: ['case_uuid'], error: 'Name a case, a patient, an account or an actor.' };

/** Filters that all must fit; at least one names a case or a person. */
export const TrailFilters = z.object(filters).refine(namesOne, unnamed);
export type TrailFilters = z.output<typeof TrailFilters>;

export const TrailQuery = PageQuery.extend(filters).refine(namesOne, unnamed);
export type TrailQuery = z.output<typeof TrailQuery>;
