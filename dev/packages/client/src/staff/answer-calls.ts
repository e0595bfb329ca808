import type { CallOptions, KeyOptions, QueryOf } from '../call-options.ts';
import { type NamedCalls, withKey } from '../named-calls.ts';
import type {
  AnnotationCancellation,
  AnnotationChange,
  AnnotationQuery,
  AnswerChange,
  AnswerCreation,
  AuditChange,
  AuditCreation,
  DiagnosesToFormat,
  NotifyPatient,
  paths,
} from '../schema.ts';

type CaseAnswersQuery = QueryOf<paths['/api/v1/backoffice/annotations/{uuid}']['get']>;
export interface ReadVersion {
  /** The one that was read; refused where another device has changed it meanwhile. */
  version: number;
}
type Answer = Omit<AnswerChange, 'kind' | 'sign' | 'amend_reason' | 'version'>;
type Audit = Omit<AuditChange, 'kind' | 'version'>;

/** Answers to cases, and audits of them. Each case is named by its UUID. */
export function answerCalls({ get, ask, post, put }: NamedCalls) {
  const change = (uuid: string, body: AnnotationChange, options: CallOptions) =>
    put('/api/v1/backoffice/annotations/{uuid}', { params: { path: { uuid } }, body }, options);
  const create = (uuid: string, body: AnswerCreation | AuditCreation, options: KeyOptions) =>
    post(
      '/api/v1/backoffice/annotations/{uuid}',
      { params: { path: { uuid }, header: withKey(options) }, body },
      options,
    );
  const cancel = (uuid: string, body: AnnotationCancellation, options: CallOptions) =>
    put('/api/v1/backoffice/annotations/{uuid}/cancel', { params: { path: { uuid } }, body }, options);

  return {
    /** Answers and audits of many cases. */
    list: (body: AnnotationQuery, options: CallOptions = {}) =>
      ask('/api/v1/backoffice/annotations', { body }, options),
    /** Those of one case. */
    ofCase: (caseUuid: string, query: CaseAnswersQuery = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/annotations/{uuid}', { params: { path: { uuid: caseUuid }, query } }, options),
    /** A draft; with `sign` it is signed at once. */
    create: (caseUuid: string, body: Omit<AnswerCreation, 'kind'>, options: KeyOptions = {}) =>
      create(caseUuid, { ...body, kind: 'dermatologist' }, options),
    /** The whole draft: what is absent becomes empty. */
    save: (caseUuid: string, body: Answer & ReadVersion, options: CallOptions = {}) =>
      change(caseUuid, { ...body, kind: 'dermatologist' }, options),
    /** Saves the whole draft and signs it. A refused signature saves nothing. */
    sign: (caseUuid: string, body: Answer & ReadVersion, options: CallOptions = {}) =>
      change(caseUuid, { ...body, kind: 'dermatologist', sign: true }, options),
    /** Replaces a published answer of the caller by another one, which the patient can read at once. */
    amend: (
      caseUuid: string,
      body: Answer & ReadVersion & { amend_reason: string },
      options: CallOptions = {},
    ) => change(caseUuid, { ...body, kind: 'dermatologist', sign: true }, options),
    /** Discards a draft, withdraws a signed answer, or marks a published one as entered in error. */
    cancel: (
      caseUuid: string,
      body: Omit<AnnotationCancellation, 'kind'> & ReadVersion,
      options: CallOptions = {},
    ) => cancel(caseUuid, { ...body, kind: 'dermatologist' }, options),
    /** An audit of the published answer of another physician; with `sign` it is signed at once. */
    audit: (caseUuid: string, body: Omit<AuditCreation, 'kind'>, options: KeyOptions = {}) =>
      create(caseUuid, { ...body, kind: 'audit' }, options),
    /** The whole audit; with `sign` it is signed. */
    saveAudit: (caseUuid: string, body: Audit & ReadVersion, options: CallOptions = {}) =>
      change(caseUuid, { ...body, kind: 'audit' }, options),
    cancelAudit: (
      caseUuid: string,
      body: Omit<AnnotationCancellation, 'kind'> & ReadVersion,
      options: CallOptions = {},
    ) => cancel(caseUuid, { ...body, kind: 'audit' }, options),
    /** Diagnoses as a text for the patient; nothing is stored. */
    format: (body: DiagnosesToFormat, options: CallOptions = {}) =>
      ask('/api/v1/backoffice/format-diagnoses', { body }, options),
    /** Sends the patient the message about the answer again. */
    notify: (caseUuid: string, body: NotifyPatient = {}, options: CallOptions = {}) =>
      post(
        '/api/v1/backoffice/annotations/{uuid}/notify',
        { params: { path: { uuid: caseUuid } }, body },
        options,
      ),
  };
}
