import { v1BackofficeCancelAnnotation } from '../../../../../src/functions/v1/backoffice/annotations/cancel-annotation.ts';
import { answerParams, drafted, published, signed } from '../../../answers.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, caseParams } from '../../../staff-cases.ts';
import { caseRow } from '../../../access/case-rows.ts';
import { send } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const cancel = (circumstance: Circumstance, body: object = {}) =>
  caseRow(circumstance, ({ uuid }) =>
    send('PUT', `annotations/${uuid}/cancel`, { version: 1, reason: 'A mistake.', ...body }),
  );

const first = { 'if-match': '"1"' };
const second = { 'if-match': '"2"' };
const json = { reason: 'Written to the wrong case.' };

export const cancelAnnotationScenario = scenario({
  endpoint: v1BackofficeCancelAnnotation,
  as: 'physician',
  good: {
    draft: { title: 'A draft', ...drafted, params: answerParams, headers: first, json },
    signed: {
      title: 'A signed answer, before its patient can read it',
      ...signed,
      params: answerParams,
      headers: second,
      json,
      unaudited: 'Its event has a name of its own.',
    },
    published: {
      title: 'A published answer, by an admin',
      as: 'admin',
      ...published,
      params: answerParams,
      headers: second,
      json,
    },
  },
  mistakes: {
    reason: {
      title: 'Without a reason',
      code: 'validation_error',
      pointers: ['/reason'],
      ...drafted,
      params: answerParams,
      headers: first,
      json: { reason: ' ' },
    },
  },
  refusals: {
    published: {
      title: 'A published answer, by its author',
      code: 'annotation_published',
      ...published,
      params: answerParams,
      headers: second,
      json,
    },
    unpublished: {
      title: 'An answer that is not published, by an admin',
      code: 'case_state_conflict',
      as: 'admin',
      ...signed,
      params: answerParams,
      headers: second,
      json,
    },
    none: {
      title: 'A case without an answer',
      code: 'annotation_not_found',
      ...caseInHand,
      params: caseParams,
      headers: first,
      json,
    },
    noAuditor: {
      title: 'An audit by a physician who is no auditor',
      code: 'capability_required',
      ...published,
      params: answerParams,
      headers: first,
      json: { ...json, kind: 'audit' },
    },
    admin: {
      title: 'An audit by an admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      ...published,
      params: answerParams,
      headers: first,
      json: { ...json, kind: 'audit' },
    },
  },
  access: {
    'the holder’s draft': { ...cancel('draft'), cells: '401 403 404 404 200 absent 404 404 404 absent' },
    answered: { ...cancel('answered'), cells: '401 403 404 404 200 capability 404 404 capability state' },
    published: {
      ...cancel('published'),
      cells: '401 403 404 404 published capability 404 404 capability 200',
    },
    'the auditor’s draft': {
      ...cancel('auditDraft', { kind: 'audit' }),
      cells: '401 403 404 404 capability capability 404 404 200 profile',
    },
    'another auditor’s draft': {
      ...cancel('auditDraftOfOther', { kind: 'audit' }),
      cells: '401 403 404 404 capability capability 404 404 absent profile',
    },
  },
});
