// Cases that staff work on, as what comes before a request: `...queuedCase` and the like.
import { completeAnamnesis } from './patients.ts';
import { demo } from './people.ts';
import type { Ask, Earlier } from './scenario.ts';

/** A newcomer's case that waits for a physician; `{{case.response.body.uuid}}`. */
export const submittedCase: Earlier = {
  operation: 'v1MobileCreateCase',
  as: 'newcomer',
  after: { stored: 'storeImages' },
  json: {
    anamnesis: completeAnamnesis,
    images: [{ name: '{{stored.response.body.images[0].uuid}}', kind: 'close_up', location_index: 0 }],
    consent: { version: '1', accepted: true },
    submit: true,
  },
};

export const caseParams = { uuid: '{{case.response.body.uuid}}' };

/** `physicians.id` of the demo physician, as SQL. */
export const demoPhysician = `(SELECT p.id FROM physicians p JOIN users u ON u.id = p.user_id
  WHERE u.email = '${demo.physician.email}')`;

const ofCase = `WHERE uuid = '${caseParams.uuid}'`;

/** The demo physician has nothing in hand, no capabilities, and is at work; what other scenarios have left in hand is over. */
export const emptyHanded: readonly string[] = [
  `UPDATE request_records SET status = 'cancelled'
   WHERE status = 'in_review' AND assigned_physician_id = ${demoPhysician}`,
  `UPDATE physicians SET vacation_mode = false, vacation_until = NULL WHERE id = ${demoPhysician}`,
  `DELETE FROM user_group_members WHERE user_id = (SELECT user_id FROM physicians WHERE id = ${demoPhysician})`,
];

/** What other scenarios have left in the queue is not offered; a seeded queue stays. @param but UUIDs, as places. */
export const onlyQueued = (...but: readonly string[]) =>
  `UPDATE request_records r SET status = 'cancelled' FROM users u
   WHERE u.id = r.account_user_id AND r.status = 'queued' AND r.uuid <> ALL ('{${but.join()}}')
     AND (u.email LIKE 'newcomer-%' OR u.email = '${demo.patient.email}')`;

/** In the general pool, in English: a lane of the demo physician. It waits from its submission on. */
export const queuedCase = { after: { case: submittedCase } } satisfies Ask;

const inHand = `UPDATE request_records SET status = 'in_review', assigned_physician_id = ${demoPhysician},
  lease_expires_at = now() + interval '30 minutes', lane_pool = NULL, lane_language = NULL, lane_until = NULL ${ofCase}`;

/** In the demo physician's hand, and nothing else. Its version is that of the submission. */
export const caseInHand = { ...queuedCase, state: [...emptyHanded, inHand] } satisfies Ask;

/** Held by the demo physician; with the photo asked for, its patient can reply. */
export const caseOnHold = (
  pending: 'awaiting_patient' | 'awaiting_second_opinion' | 'awaiting_result' | 'technical',
) =>
  ({
    ...queuedCase,
    state: [
      ...emptyHanded,
      inHand,
      `UPDATE request_records SET status = 'on_hold', pending_status = '${pending}', lease_expires_at = NULL,
         held_at = now(), status_changed_at = now() ${ofCase}`,
    ],
  }) satisfies Ask;

/** A case as the documents show it where the whole of it stands elsewhere: every member, and few of each list. */
export const shortened = <Detail extends { anamnesis: object; analysis: object | null; timeline: unknown[] }>(
  reply: Detail,
): Detail => ({ ...reply, anamnesis: {}, analysis: null, timeline: reply.timeline.slice(-1) });
