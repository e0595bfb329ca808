import { v1BackofficeCreateAnnotation } from '../../../../../src/functions/v1/backoffice/annotations/create-annotation.ts';
import {
  answerParams,
  auditable,
  auditor,
  drafted,
  draftAnswer,
  draftAudit,
  longAnswer,
  longTemplate,
  published,
  signed,
  signedAnswer,
} from '../../../answers.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, caseParams, emptyHanded, queuedCase } from '../../../staff-cases.ts';
import { auditReview, caseRow } from '../../../access/case-rows.ts';
import { post } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';
import { wholeAnswer } from '../../../../support/answers.ts';

const create = (circumstance: Circumstance, body: object) =>
  caseRow(circumstance, ({ uuid }) => post(`annotations/${uuid}`, body));

const ofCase = `WHERE uuid = '${caseParams.uuid}'`;

export const createAnnotationScenario = scenario({
  endpoint: v1BackofficeCreateAnnotation,
  as: 'physician',
  good: {
    signed: { title: 'A signed answer', ...caseInHand, params: caseParams, json: signedAnswer },
    draft: { title: 'A draft', ...caseInHand, params: caseParams, json: draftAnswer },
    audit: {
      title: 'A signed audit',
      ...auditable,
      params: answerParams,
      json: {
        ...draftAudit,
        scores: { diagnosis: 5, advice: 4, wording: 3, image: 5 },
        requires_correction: true,
        sign: true,
      },
    },
  },
  mistakes: {
    incomplete: {
      title: 'Signed although it is incomplete',
      code: 'validation_error',
      pointers: ['/diagnoses', '/recommended_action', '/image_quality_ok'],
      ...caseInHand,
      params: caseParams,
      json: { kind: 'dermatologist', sign: true },
    },
    disease: {
      title: 'A disease that the catalogue does not have',
      code: 'disease_unknown',
      pointers: ['/diagnoses/0/disease_id'],
      ...caseInHand,
      params: caseParams,
      json: { ...draftAnswer, diagnoses: [{ ...draftAnswer.diagnoses[0], disease_id: 999_999_999 }] },
    },
    template: {
      title: 'A template that does not exist',
      code: 'template_not_found',
      ...caseInHand,
      params: caseParams,
      json: { ...draftAnswer, template_id: 999_999_999 },
    },
  },
  refusals: {
    unread: {
      title: 'Signed as if the case were still as it was submitted',
      code: 'case_changed',
      ...caseInHand,
      params: caseParams,
      json: { ...signedAnswer, case_version: 1 },
    },
    flags: {
      title: 'A red flag that is not acknowledged',
      code: 'red_flags_unacknowledged',
      ...caseInHand,
      state: [
        ...caseInHand.state,
        `UPDATE request_records SET has_red_flags = true, red_flags = '{ophthalmic_zoster}',
           urgent_flags = '{ophthalmic_zoster}', urgency = 'high' ${ofCase}`,
      ],
      params: caseParams,
      json: signedAnswer,
    },
    danger: {
      title: 'A routine visit in an emergency',
      code: 'answer_contradicts_urgency',
      ...caseInHand,
      state: [
        ...caseInHand.state,
        `UPDATE request_records SET triage_level = 'emergency', triage_rank = 0 ${ofCase}`,
      ],
      params: caseParams,
      json: signedAnswer,
    },
    long: {
      title: 'A text that becomes too long',
      code: 'template_invalid',
      ...caseInHand,
      after: { ...caseInHand.after, template: longTemplate },
      params: caseParams,
      json: longAnswer,
    },
    waiting: {
      title: 'A case that is not in hand',
      code: 'lease_lost',
      ...queuedCase,
      state: emptyHanded,
      params: caseParams,
      json: draftAnswer,
    },
    second: {
      title: 'A second draft',
      code: 'annotation_exists',
      ...drafted,
      params: answerParams,
      json: draftAnswer,
    },
    admin: {
      title: 'An admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      ...queuedCase,
      params: caseParams,
      json: draftAnswer,
    },
    noAuditor: {
      title: 'An audit by a physician who is no auditor',
      code: 'capability_required',
      ...published,
      params: answerParams,
      json: draftAudit,
    },
    own: {
      title: 'An audit of the own answer',
      code: 'own_annotation',
      ...published,
      state: [...published.state, ...auditor],
      params: answerParams,
      json: draftAudit,
    },
    unpublished: {
      title: 'An audit before the answer is published',
      code: 'case_state_conflict',
      ...signed,
      state: auditor,
      params: answerParams,
      json: draftAudit,
    },
    key: {
      title: 'Another answer with the same Idempotency-Key',
      code: 'idempotency_key_reused',
      after: {
        ...caseInHand.after,
        first: {
          operation: 'v1BackofficeCreateAnnotation',
          ...caseInHand,
          params: caseParams,
          headers: { 'idempotency-key': 'one-key-for-two-answers' },
          json: draftAnswer,
        },
      },
      params: caseParams,
      headers: { 'idempotency-key': 'one-key-for-two-answers' },
      json: signedAnswer,
    },
  },
  access: {
    'draft, in hand': {
      ...create('inHand', wholeAnswer),
      cells: '401 403 404 404 201 lost 404 404 404 profile',
    },
    'draft, its lease over': {
      ...create('leaseOver', wholeAnswer),
      cells: '401 403 404 404 lost lost 404 404 404 profile',
    },
    'draft, queued': {
      ...create('queued', wholeAnswer),
      cells: '401 403 404 404 lost lost lost lost lost profile',
    },
    'signed, in hand': {
      ...create('inHand', { ...wholeAnswer, sign: true }),
      cells: '401 403 404 404 201 lost 404 404 404 profile',
    },
    'audit, published': {
      ...create('published', auditReview),
      cells: '401 403 404 404 capability capability 404 404 201 profile',
    },
    'audit, answered by the auditor': {
      ...create('publishedByAuditor', auditReview),
      cells: '401 403 404 404 404 capability 404 404 own profile',
    },
    'audit, answered': {
      ...create('answered', auditReview),
      cells: '401 403 404 404 capability capability 404 404 state profile',
    },
  },
});
