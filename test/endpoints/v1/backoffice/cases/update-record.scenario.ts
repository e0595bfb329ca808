import { v1BackofficeUpdateRecord } from '../../../../../src/functions/v1/backoffice/cases/update-record.ts';
import { unknownId } from '../../../people.ts';
import { type Ask, scenario } from '../../../scenario.ts';
import {
  caseInHand,
  caseParams as params,
  emptyHanded,
  queuedCase,
  shortened,
} from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { post } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const update = (circumstance: Circumstance, body: object) =>
  caseRow(circumstance, ({ uuid }) => post(`cases/${uuid}/update-record`, { version: 1, ...body }));

const headers = { 'if-match': '{{case.response.headers.etag}}' };
const inHand = { ...caseInHand, params, headers } satisfies Ask;
const waiting = { ...queuedCase, state: emptyHanded, params, headers } satisfies Ask;
const setCase = (columns: string) => `UPDATE request_records SET ${columns} WHERE uuid = '${params.uuid}'`;
const correction_reason = 'said on the phone';

export const updateRecordScenario = scenario({
  endpoint: v1BackofficeUpdateRecord,
  as: 'physician',
  good: {
    answers: {
      title: 'Correct an answer, and see the case sooner',
      ...inHand,
      json: {
        anamnesis_patch: { complaint: { duration: 'one_to_four_weeks' } },
        correction_reason,
        triage_level: 'urgent_24h',
      },
    },
    lane: {
      title: 'Move a case to a pool',
      ...waiting,
      as: 'admin',
      json: { pool: 'hand-clinic' },
      shown: shortened,
    },
  },
  mistakes: {
    nothing: { title: 'Nothing to change', code: 'validation_error', pointers: [''], ...inHand, json: {} },
    reason: {
      title: 'Answers corrected without a reason',
      code: 'validation_error',
      pointers: ['/correction_reason'],
      ...inHand,
      json: { anamnesis_patch: { complaint: { duration: 'one_to_four_weeks' } } },
    },
    answers: {
      title: 'An answer that there is not, and one that is required removed',
      code: 'anamnesis_invalid',
      pointers: ['/anamnesis/complaint/duration'],
      ...inHand,
      json: { anamnesis_patch: { complaint: { duration: 'a fortnight' } }, correction_reason },
    },
    age: {
      title: 'An age that the birth date contradicts',
      code: 'age_mismatch',
      pointers: ['/anamnesis/patient'],
      ...inHand,
      state: [
        ...inHand.state,
        `UPDATE patients SET birth_date = '1990-05-01'
         WHERE id = (SELECT patient_id FROM request_records WHERE uuid = '${params.uuid}')`,
      ],
      json: { anamnesis_patch: { patient: { ageYears: 12, ageMonths: null } }, correction_reason },
    },
  },
  refusals: {
    conflict: {
      title: 'A case that the physician has not taken',
      code: 'case_state_conflict',
      ...waiting,
      json: { triage_level: 'urgent_24h' },
    },
    lost: {
      title: 'After the lease has ended',
      code: 'lease_lost',
      ...inHand,
      state: [...inHand.state, setCase(`lease_expires_at = now() - interval '1 minute'`)],
      json: { triage_level: 'urgent_24h' },
    },
    lower: {
      title: 'A less urgent level without the capability',
      code: 'capability_required',
      ...inHand,
      state: [
        ...inHand.state,
        setCase(`triage_level = 'urgent_24h', triage_rank = 1, red_flags = '{}', urgency = 'low'`),
      ],
      json: { triage_level: 'routine', triage_reason: 'the photo shows it' },
    },
    patient: {
      title: 'A patient of another account',
      code: 'patient_not_found',
      ...inHand,
      json: { patient_uuid: unknownId, correction_reason },
    },
  },
  access: {
    'language, in hand': {
      ...update('inHand', { language: 'he' }),
      cells: '401 403 404 404 200 state 404 404 404 200',
    },
    'language, its lease over': {
      ...update('leaseOver', { language: 'he' }),
      cells: '401 403 404 404 lost state 404 404 404 200',
    },
    'language, queued': {
      ...update('queued', { language: 'he' }),
      cells: '401 403 404 404 state state state state state 200',
    },
    'more urgent, in hand': {
      ...update('inHand', { triage_level: 'urgent_24h' }),
      cells: '401 403 404 404 200 state 404 404 404 200',
    },
    'less urgent, in hand': {
      ...update('inHand', { triage_level: 'self_care', triage_reason: 'Harmless.' }),
      cells: '401 403 404 404 capability state 404 404 404 200',
    },
  },
});
