import { v1BackofficeChangeCaseStatus } from '../../../../../src/functions/v1/backoffice/cases/change-case-status.ts';
import { unknownId } from '../../../people.ts';
import { type Ask, scenario } from '../../../scenario.ts';
import {
  caseInHand,
  caseParams as params,
  demoPhysician,
  emptyHanded,
  queuedCase,
  submittedCase,
  shortened,
} from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { type Row, post } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const act = (circumstance: Circumstance, body: object) =>
  caseRow(circumstance, ({ uuid }) => post(`cases/${uuid}/status`, { version: 1, ...body }));
/** `name` is the id of the holder, which an assignment alone needs. */
const assign = (circumstance: Circumstance): Row => ({
  circumstance,
  ask: ({ uuid, name }) =>
    post(`cases/${uuid}/status`, { version: 1, action: 'assign', physician_uuid: name }),
});

const headers = { 'if-match': '{{case.response.headers.etag}}' };
const allowsClaims = `DELETE FROM application_parameters WHERE tenant_id = 1 AND key = 'allow_claim'`;
const waiting = { ...queuedCase, state: [...emptyHanded, allowsClaims], params, headers } satisfies Ask;
const inHand = { ...caseInHand, params, headers } satisfies Ask;
const setCase = (columns: string) => `UPDATE request_records SET ${columns} WHERE uuid = '${params.uuid}'`;
const unaudited = 'Its event has a name of its own.';

export const changeStaffCaseStatusScenario = scenario({
  endpoint: v1BackofficeChangeCaseStatus,
  as: 'physician',
  good: {
    claim: { title: 'Claim a case', ...waiting, json: { action: 'claim' }, unaudited },
    hold: {
      title: 'Ask the patient for a better photo',
      ...inHand,
      json: {
        action: 'hold',
        pending_status: 'awaiting_patient',
        message: 'Please send a photo in daylight, from closer.',
      },
      shown: shortened,
      unaudited,
    },
    release: {
      title: 'Put a case back',
      ...inHand,
      json: { action: 'release', reason: 'not_my_field' },
      shown: shortened,
      unaudited,
    },
    assign: {
      title: 'Reserve a case for a physician',
      ...waiting,
      as: 'admin',
      after: {
        ...waiting.after,
        me: { operation: 'getMe', as: 'physician' },
      },
      json: { action: 'assign', physician_uuid: '{{me.response.body.physician.uuid}}' },
      shown: shortened,
      unaudited,
    },
    reopen: {
      title: 'Open a cancelled case again',
      ...waiting,
      as: 'admin',
      state: [...emptyHanded, setCase(`status = 'cancelled'`)],
      json: { action: 'reopen', reason: 'new_information' },
      shown: shortened,
      unaudited,
    },
  },
  mistakes: {
    reason: {
      title: 'Put back without a reason',
      code: 'validation_error',
      pointers: ['/reason'],
      ...inHand,
      json: { action: 'release' },
    },
    unknown: {
      title: 'A field of another action',
      code: 'validation_error',
      pointers: ['/pending_status'],
      ...inHand,
      json: { action: 'resume', pending_status: 'technical' },
    },
    message: {
      title: 'Wait for the patient without a message',
      code: 'message_required',
      ...inHand,
      json: { action: 'hold', pending_status: 'awaiting_patient' },
    },
  },
  refusals: {
    conflict: {
      title: 'End a hold that there is not',
      code: 'case_state_conflict',
      ...waiting,
      json: { action: 'resume' },
    },
    lost: {
      title: 'Renew a lease that has ended',
      code: 'lease_lost',
      ...inHand,
      state: [...inHand.state, setCase(`lease_expires_at = now() - interval '1 minute'`)],
      json: { action: 'renew_lease' },
    },
    limit: {
      title: 'Claim a second case',
      code: 'lease_limit',
      ...waiting,
      after: { other: { ...submittedCase, as: 'newcomer' }, ...waiting.after },
      state: [
        ...emptyHanded,
        `UPDATE request_records SET status = 'in_review', assigned_physician_id = ${demoPhysician},
           lease_expires_at = now() + interval '30 minutes' WHERE uuid = '{{other.response.body.uuid}}'`,
      ],
      json: { action: 'claim' },
    },
    away: {
      title: 'Claim a case while away',
      code: 'physician_away',
      ...waiting,
      state: [...emptyHanded, `UPDATE physicians SET vacation_mode = true WHERE id = ${demoPhysician}`],
      json: { action: 'claim' },
    },
    disabled: {
      title: 'Claim where cases are taken from the queue only',
      code: 'claiming_disabled',
      ...waiting,
      // The usual instance may remember for five seconds that claims are allowed; this one has not read it yet.
      on: 'strict',
      state: [
        ...waiting.state,
        `INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
         VALUES (1, 'queue', 'rules', 'allow_claim', 'false', 'staff')`,
      ],
      json: { action: 'claim' },
    },
    nobody: {
      title: 'Assign to a physician who does not exist',
      code: 'physician_not_found',
      ...waiting,
      as: 'admin',
      json: { action: 'assign', physician_uuid: unknownId },
    },
    profile: {
      title: 'Claim as an admin who is no physician',
      code: 'physician_profile_required',
      ...waiting,
      as: 'admin',
      json: { action: 'claim' },
    },
    capability: {
      title: 'Cancel without the capability',
      code: 'capability_required',
      ...waiting,
      json: { action: 'cancel', reason: 'duplicate' },
    },
    key: {
      title: 'Another action with the same Idempotency-Key',
      code: 'idempotency_key_reused',
      ...inHand,
      after: {
        ...inHand.after,
        first: {
          ...inHand,
          operation: 'v1BackofficeChangeCaseStatus',
          headers: { ...headers, 'idempotency-key': 'one-key-for-two-actions' },
          json: { action: 'renew_lease' },
        },
      },
      headers: { ...headers, 'idempotency-key': 'one-key-for-two-actions' },
      json: { action: 'release', reason: 'end_of_shift' },
    },
  },
  access: {
    'claim, queued': {
      ...act('queued', { action: 'claim' }),
      cells: '401 403 404 profile 200 200 200 200 200 profile',
    },
    'claim, in another language': {
      ...act('elsewhere', { action: 'claim' }),
      cells: '401 403 404 profile 404 state 404 404 404 profile',
    },
    'claim, emergency in another one': {
      ...act('emergencyElsewhere', { action: 'claim' }),
      cells: '401 403 404 profile 404 state 404 200 404 profile',
    },
    'claim, in the hand of the holder': {
      ...act('inHand', { action: 'claim' }),
      cells: '401 403 404 profile state state 404 404 404 profile',
    },
    'renew_lease, in hand': {
      ...act('inHand', { action: 'renew_lease' }),
      cells: '401 403 404 404 200 state 404 404 404 state',
    },
    'release, in hand': {
      ...act('inHand', { action: 'release', reason: 'other' }),
      cells: '401 403 404 404 200 state 404 404 404 state',
    },
    'release, its lease over': {
      ...act('leaseOver', { action: 'release', reason: 'other' }),
      cells: '401 403 404 404 lost state 404 404 404 state',
    },
    'hold, in hand': {
      ...act('inHand', { action: 'hold', pending_status: 'technical' }),
      cells: '401 403 404 404 200 state 404 404 404 state',
    },
    'resume, on hold': {
      ...act('onHold', { action: 'resume' }),
      cells: '401 403 404 404 200 200 404 404 404 200',
    },
    'assign, in hand': {
      ...assign('inHand'),
      cells: '401 403 capability physician_not_found capability capability capability 404 capability 200',
    },
    'assign, queued': {
      ...assign('queued'),
      cells: '401 403 capability physician_not_found capability capability capability 200 capability 200',
    },
    'cancel, in hand': {
      ...act('inHand', { action: 'cancel', reason: 'test' }),
      cells: '401 403 404 404 capability capability 404 404 404 200',
    },
    'cancel, queued': {
      ...act('queued', { action: 'cancel', reason: 'test' }),
      cells: '401 403 404 404 capability capability capability 200 capability 200',
    },
    'reopen, published': {
      ...act('published', { action: 'reopen', reason: 'other' }),
      cells: '401 403 404 404 200 capability 404 404 capability 200',
    },
    'undo, answered': {
      ...act('answered', { action: 'undo' }),
      cells: '401 403 404 404 200 state 404 404 state state',
    },
  },
});
