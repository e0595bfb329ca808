import { v1BackofficeChangeActivity } from '../../../../../src/functions/v1/backoffice/physicians/change-activity.ts';
import { unknownId } from '../../../people.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, caseOnHold, caseParams, demoPhysician } from '../../../staff-cases.ts';
import { holderProfile } from '../../../access/desk-rows.ts';
import { about, plain, send } from '../../../access/rows.ts';

/** What other scenarios have left with the demo physician is over. */
const nothingElse = `UPDATE request_records SET status = 'cancelled', pending_status = NULL
  WHERE (status = 'on_hold' AND assigned_physician_id = ${demoPhysician})
    OR (status = 'queued' AND lane_pool = 'physician:' || ${demoPhysician})`;
const onHold = caseOnHold('technical');

export const changeActivityScenario = scenario({
  endpoint: v1BackofficeChangeActivity,
  as: 'physician',
  good: {
    back: { title: 'At work again', json: { vacation_mode: false } },
    away: {
      title: 'A vacation, with an end',
      ...onHold,
      state: [nothingElse, ...onHold.state],
      json: { vacation_mode: true, until: '2099-01-30T00:00:00Z' },
    },
    by_admin: {
      title: 'A physician who has forgotten it, by an admin',
      as: 'admin',
      after: {
        read: { operation: 'v1BackofficeGetCase', as: 'physician', ...caseInHand, params: caseParams },
      },
      json: {
        physician_uuid: '{{read.response.body.assigned_physician.uuid}}',
        vacation_mode: false,
      },
    },
  },
  mistakes: {
    past: {
      title: 'A vacation that has ended',
      code: 'validation_error',
      pointers: ['/until'],
      json: { vacation_mode: true, until: '2020-01-30T00:00:00Z' },
    },
    end: {
      title: 'An end without a vacation',
      code: 'validation_error',
      pointers: ['/until'],
      json: { vacation_mode: false, until: '2099-01-30T00:00:00Z' },
    },
  },
  refusals: {
    other: {
      title: 'Another physician, by a physician',
      code: 'forbidden',
      json: { physician_uuid: unknownId, vacation_mode: true },
    },
    unknown: {
      title: 'A physician who does not exist',
      code: 'physician_not_found',
      as: 'admin',
      json: { physician_uuid: unknownId, vacation_mode: true },
    },
    admin: {
      title: 'An admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      json: { vacation_mode: true },
    },
  },
  access: {
    own: {
      ...plain(() => send('PATCH', 'physicians/activity', { vacation_mode: false })),
      cells: '401 403 200 profile 200 200 200 200 200 profile',
    },
    'of the holder': {
      ...about(holderProfile, ({ uuid }) =>
        send('PATCH', 'physicians/activity', { physician_uuid: uuid, vacation_mode: false }),
      ),
      cells: '401 403 403 404 200 403 403 403 403 200',
    },
  },
});
