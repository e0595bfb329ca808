import type { Circumstance, Thing } from '../../../../support/access-stage.ts';
import { wholeAnswer } from '../../../../support/answers.ts';
import { get, itself, post, type Row, type Rows, send } from './rows.ts';

const row = (circumstance: Circumstance, ask: Row['ask'], shows?: Row['shows']): Row => ({
  circumstance,
  ask,
  ...(shows !== undefined && { shows }),
});
const any = (_thing: Thing, all: readonly Thing[]) => all.map(({ uuid }) => uuid);

const version = 1;
const read = (circumstance: Circumstance) => row(circumstance, ({ uuid }) => get(`cases/${uuid}`));
const act = (circumstance: Circumstance, body: object) =>
  row(circumstance, ({ uuid }) => post(`cases/${uuid}/status`, { version, ...body }));
const update = (circumstance: Circumstance, body: object) =>
  row(circumstance, ({ uuid }) => post(`cases/${uuid}/update-record`, { version, ...body }));
const pending = (pending_status: string | null) =>
  row('onHold', ({ uuid }) =>
    send('PATCH', 'cases/changes-pending-status', {
      changes: [{ case_uuid: uuid, version, pending_status }],
    }),
  );
const check = (circumstance: Circumstance) =>
  row(
    circumstance,
    ({ uuid }) => post('cases/check-batch', { case_uuids: [uuid] }),
    () => ['"found":true'],
  );
const batch = (circumstance: Circumstance) => row(circumstance, ({ uuid }) => get(`cases/batch/${uuid}`));
const search = (circumstance: Circumstance, filters: object = {}) =>
  row(circumstance, ({ uuid }) => post('cases/search', { batch_uuid: uuid, ...filters }), itself);
const next = (circumstance: Circumstance, body: object = {}) =>
  row(circumstance, () => post('cases/next-case', body), any);
const notify = (circumstance: Circumstance) =>
  row(circumstance, ({ uuid }) => send('PATCH', 'cases/notify-patient', { case_uuids: [uuid] }));

/** An id of the table that only an assignment needs. */
const assign = (circumstance: Circumstance): Row => ({
  circumstance,
  ask: ({ uuid, name }) => post(`cases/${uuid}/status`, { version, action: 'assign', physician_uuid: name }),
});

export const caseRequests: Rows = {
  v1BackofficeGetCase: {
    'in hand': read('inHand'),
    'queued in the lanes of all': read('queued'),
    'queued in another language': read('elsewhere'),
    answered: read('answered'),
    published: read('published'),
    'drafted by its patient': read('draftOfPatient'),
    'of an account of the caller’s own': read('ofCaller'),
  },
  v1BackofficeChangeCaseStatus: {
    'claim, queued': act('queued', { action: 'claim' }),
    'claim, in another language': act('elsewhere', { action: 'claim' }),
    'claim, emergency in another one': act('emergencyElsewhere', { action: 'claim' }),
    'claim, in the hand of the holder': act('inHand', { action: 'claim' }),
    'renew_lease, in hand': act('inHand', { action: 'renew_lease' }),
    'release, in hand': act('inHand', { action: 'release', reason: 'other' }),
    'release, its lease over': act('leaseOver', { action: 'release', reason: 'other' }),
    'hold, in hand': act('inHand', { action: 'hold', pending_status: 'technical' }),
    'resume, on hold': act('onHold', { action: 'resume' }),
    'assign, in hand': assign('inHand'),
    'assign, queued': assign('queued'),
    'cancel, in hand': act('inHand', { action: 'cancel', reason: 'test' }),
    'cancel, queued': act('queued', { action: 'cancel', reason: 'test' }),
    'reopen, published': act('published', { action: 'reopen', reason: 'other' }),
    'undo, answered': act('answered', { action: 'undo' }),
  },
  v1BackofficeUpdateRecord: {
    'language, in hand': update('inHand', { language: 'he' }),
    'language, its lease over': update('leaseOver', { language: 'he' }),
    'language, queued': update('queued', { language: 'he' }),
    'more urgent, in hand': update('inHand', { triage_level: 'urgent_24h' }),
    'less urgent, in hand': update('inHand', { triage_level: 'self_care', triage_reason: 'Harmless.' }),
  },
  v1BackofficeTriggerEligibility: {
    queued: row('queued', ({ uuid }) => post(`cases/${uuid}/trigger-eligibility`, { version })),
    'in hand': row('inHand', ({ uuid }) => post(`cases/${uuid}/trigger-eligibility`, { version })),
  },
  v1BackofficeChangePendingStatuses: {
    'another status, on hold': pending('technical'),
    'end of the hold': pending(null),
  },
  v1BackofficeCheckBatch: { 'in hand': check('inHand'), queued: check('queued') },
  v1BackofficeGetBatch: { 'in hand': batch('inHand'), queued: batch('queued') },
  v1BackofficeSearchCases: {
    'in hand': search('inHand'),
    queued: search('queued'),
    'mine, in hand': search('inHand', { scope: 'mine' }),
    'tenant, published': search('published', { scope: 'tenant' }),
  },
  v1BackofficeTakeNextCase: {
    'reserved for the caller': next('reservedForCaller'),
    'reserved for the holder': next('reservedForHolder'),
    'to be audited': next('toAudit', { queue: 'audit' }),
  },
  v1BackofficeNotifyPatients: { answered: notify('answered'), 'in hand': notify('inHand') },
  v1BackofficeGetHistory: {
    'in hand': row('inHand', ({ uuid }) => get(`history/${uuid}`)),
    published: row('published', ({ uuid }) => get(`history/${uuid}`)),
    'with a reason': row('inHand', ({ uuid }) => get(`history/${uuid}?reason=treatment`)),
    'of the caller’s own account': row('ofCaller', ({ uuid }) => get(`history/${uuid}?reason=treatment`)),
  },
};

const annotations = (circumstance: Circumstance, shows?: Row['shows']) =>
  row(circumstance, ({ uuid }) => get(`annotations/${uuid}`), shows);
const many = (circumstance: Circumstance) =>
  row(circumstance, ({ uuid }) => post('annotations', { case_uuids: [uuid] }), itself);
const create = (circumstance: Circumstance, body: object) =>
  row(circumstance, ({ uuid }) => post(`annotations/${uuid}`, body));
const save = (circumstance: Circumstance, body: object) =>
  row(circumstance, ({ uuid }) => send('PUT', `annotations/${uuid}`, { version, ...body }));
const cancel = (circumstance: Circumstance, body: object = {}) =>
  row(circumstance, ({ uuid }) =>
    send('PUT', `annotations/${uuid}/cancel`, { version, reason: 'A mistake.', ...body }),
  );
const review = { kind: 'audit', agreement: 'minor', comment: 'See above.' };

export const answerRequests: Rows = {
  v1BackofficeNotifyPatient: {
    published: row('published', ({ uuid }) => post(`annotations/${uuid}/notify`, {})),
  },
  v1BackofficeListAnnotations: { 'in hand': many('inHand'), published: many('published') },
  v1BackofficeGetAnnotations: {
    'in hand': annotations('inHand'),
    'the holder’s draft': annotations('draft', () => ['"status":"draft"']),
    'an audit, signed': annotations('audited', () => ['"kind":"audit"']),
    'an audit, drafted by the auditor': annotations('auditDraft', () => ['"kind":"audit"']),
    'an audit, drafted by another': annotations('auditDraftOfOther', () => ['"kind":"audit"']),
  },
  v1BackofficeCreateAnnotation: {
    'draft, in hand': create('inHand', wholeAnswer),
    'draft, its lease over': create('leaseOver', wholeAnswer),
    'draft, queued': create('queued', wholeAnswer),
    'signed, in hand': create('inHand', { ...wholeAnswer, sign: true }),
    'audit, published': create('published', review),
    'audit, answered by the auditor': create('publishedByAuditor', review),
    'audit, answered': create('answered', review),
  },
  v1BackofficeUpdateAnnotation: {
    'the holder’s draft': save('draft', wholeAnswer),
    'the holder’s draft, lease over': save('leaseOverDraft', wholeAnswer),
    'amend what the holder published': save('published', {
      ...wholeAnswer,
      sign: true,
      amend_reason: 'Mistaken.',
    }),
    'the auditor’s draft': save('auditDraft', review),
    'another auditor’s draft': save('auditDraftOfOther', review),
  },
  v1BackofficeCancelAnnotation: {
    'the holder’s draft': cancel('draft'),
    answered: cancel('answered'),
    published: cancel('published'),
    'the auditor’s draft': cancel('auditDraft', { kind: 'audit' }),
    'another auditor’s draft': cancel('auditDraftOfOther', { kind: 'audit' }),
  },
};
