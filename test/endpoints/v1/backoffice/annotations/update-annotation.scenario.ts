import { v1BackofficeUpdateAnnotation } from '../../../../../src/functions/v1/backoffice/annotations/update-annotation.ts';
import {
  answerParams,
  auditable,
  draftAnswer,
  draftAudit,
  drafted,
  longAnswer,
  longTemplate,
  published,
  signed,
  signedAnswer,
  wholeAnswer,
} from '../../../answers.ts';
import { scenario } from '../../../scenario.ts';
import { caseInHand, caseParams, emptyHanded, queuedCase } from '../../../staff-cases.ts';
import { auditReview, caseRow } from '../../../access/case-rows.ts';
import { send } from '../../../access/rows.ts';
import type { Circumstance } from '../../../../support/access-stage.ts';

const save = (circumstance: Circumstance, body: object) =>
  caseRow(circumstance, ({ uuid }) => send('PUT', `annotations/${uuid}`, { version: 1, ...body }));

const surerThanPhotos = {
  ...signedAnswer,
  diagnoses: signedAnswer.diagnoses.map((each) => ({ ...each, certainty: 'confirmed' })),
  image_quality_ok: false,
};
const first = { 'if-match': '"1"' };
const second = { 'if-match': '"2"' };
const unaudited =
  'Saving again within ten minutes is part of the event before; a signature has one of its own.';

export const updateAnnotationScenario = scenario({
  endpoint: v1BackofficeUpdateAnnotation,
  as: 'physician',
  good: {
    saved: {
      title: 'Save a draft',
      ...drafted,
      params: answerParams,
      headers: first,
      json: wholeAnswer,
      unaudited,
    },
    signed: {
      title: 'Sign it',
      ...drafted,
      params: answerParams,
      headers: first,
      json: signedAnswer,
      unaudited,
    },
    nevertheless: {
      title: 'Sign it although the photos are poor',
      ...drafted,
      params: answerParams,
      headers: first,
      json: {
        ...surerThanPhotos,
        contradiction_reasons: [
          {
            code: 'confirmed_on_poor_photos',
            reason: 'Known since a biopsy of last year, reported by the patient.',
          },
        ],
      },
      unaudited,
    },
    amended: {
      title: 'Amend a published answer',
      ...published,
      params: answerParams,
      headers: second,
      json: { ...signedAnswer, severity: 'moderate', amend_reason: 'Severity corrected.' },
      unaudited,
    },
    resumed: {
      title: 'Save a draft after a pause',
      ...drafted,
      state: [
        `UPDATE dermatologist_annotations SET updated_at = now() - interval '20 minutes'
         WHERE uuid = '{{answer.response.body.uuid}}'`,
      ],
      params: answerParams,
      headers: first,
      json: wholeAnswer,
    },
  },
  mistakes: {
    reason: {
      title: 'Amended without a reason',
      code: 'validation_error',
      pointers: ['/amend_reason', '/sign'],
      ...published,
      params: answerParams,
      headers: second,
      json: wholeAnswer,
    },
    disease: {
      title: 'A disease that the catalogue does not have',
      code: 'disease_unknown',
      pointers: ['/diagnoses/0/disease_id'],
      ...drafted,
      params: answerParams,
      headers: first,
      json: { ...draftAnswer, diagnoses: [{ ...draftAnswer.diagnoses[0], disease_id: 999_999_999 }] },
    },
    template: {
      title: 'A template that does not exist',
      code: 'template_not_found',
      ...drafted,
      params: answerParams,
      headers: first,
      json: { ...draftAnswer, template_id: 999_999_999 },
    },
  },
  refusals: {
    unread: {
      title: 'Signed as if the case were still as it was submitted',
      code: 'case_changed',
      ...drafted,
      params: answerParams,
      headers: first,
      json: { ...signedAnswer, case_version: 1 },
    },
    none: {
      title: 'A case without an annotation of the caller',
      code: 'annotation_not_found',
      ...caseInHand,
      params: caseParams,
      headers: first,
      json: wholeAnswer,
    },
    unpublished: {
      title: 'Amended before it is published',
      code: 'case_state_conflict',
      ...signed,
      params: answerParams,
      headers: second,
      json: { ...signedAnswer, amend_reason: 'Severity corrected.' },
    },
    lost: {
      title: 'A case that is no longer in hand',
      code: 'lease_lost',
      ...drafted,
      state: emptyHanded,
      params: answerParams,
      headers: first,
      json: wholeAnswer,
    },
    flags: {
      title: 'A red flag that is not acknowledged',
      code: 'red_flags_unacknowledged',
      ...drafted,
      state: [
        `UPDATE request_records SET has_red_flags = true, red_flags = '{ophthalmic_zoster}',
           urgent_flags = '{ophthalmic_zoster}', urgency = 'high' WHERE uuid = '${answerParams.uuid}'`,
      ],
      params: answerParams,
      headers: first,
      json: signedAnswer,
    },
    danger: {
      title: 'A confirmed diagnosis on poor photos',
      code: 'answer_contradicts_urgency',
      ...drafted,
      params: answerParams,
      headers: first,
      json: surerThanPhotos,
    },
    long: {
      title: 'A text that becomes too long',
      code: 'template_invalid',
      after: { ...drafted.after, template: longTemplate },
      params: answerParams,
      headers: first,
      json: longAnswer,
    },
    noAuditor: {
      title: 'An audit by a physician who is no auditor',
      code: 'capability_required',
      ...published,
      params: answerParams,
      headers: first,
      json: draftAudit,
    },
    admin: {
      title: 'An admin who is no physician',
      code: 'physician_profile_required',
      as: 'admin',
      ...queuedCase,
      params: caseParams,
      headers: first,
      json: wholeAnswer,
    },
    final: {
      title: 'An audit that is signed already',
      code: 'annotation_published',
      after: {
        audit: {
          operation: 'v1BackofficeCreateAnnotation',
          ...auditable,
          params: answerParams,
          json: { ...draftAudit, sign: true },
        },
      },
      params: { uuid: '{{audit.response.body.case_uuid}}' },
      headers: { 'if-match': '{{audit.response.headers.etag}}' },
      json: draftAudit,
    },
  },
  access: {
    'the holder’s draft': {
      ...save('draft', wholeAnswer),
      cells: '401 403 404 404 200 absent 404 404 404 profile',
    },
    'the holder’s draft, lease over': {
      ...save('leaseOverDraft', wholeAnswer),
      cells: '401 403 404 404 lost absent 404 404 404 profile',
    },
    'amend what the holder published': {
      ...save('published', {
        ...wholeAnswer,
        sign: true,
        amend_reason: 'Mistaken.',
      }),
      cells: '401 403 404 404 200 absent 404 404 absent profile',
    },
    'the auditor’s draft': {
      ...save('auditDraft', auditReview),
      cells: '401 403 404 404 capability capability 404 404 200 profile',
    },
    'another auditor’s draft': {
      ...save('auditDraftOfOther', auditReview),
      cells: '401 403 404 404 capability capability 404 404 absent profile',
    },
  },
});
