import type { KeyOptions, QueryOf, TextOptions } from '../call-options.ts';
import { type NamedCalls, withKey } from '../named-calls.ts';
import { type ImageOptions, inVariant } from '../patient/image-calls.ts';
import type { EligibilityTrigger, NotifyPatients, PatientChange, paths, RecordUpdate } from '../schema.ts';

type HistoryQuery = QueryOf<paths['/api/v1/backoffice/history/{user_identifier}']['get']>;
type ImageQuery = QueryOf<paths['/api/v1/backoffice/images']['get']>;

/** Cases as staff see them, with their photos and patients. */
export function staffCaseCalls({ get, post, patch, inLanguage }: NamedCalls) {
  return {
    /** Reading a case that the caller has in hand extends its lease. */
    get: (uuid: string, options: TextOptions = {}) =>
      get(
        '/api/v1/backoffice/cases/{uuid}',
        { params: { path: { uuid }, query: inLanguage(options) } },
        options,
      ),
    /** Corrects language, pool, triage level, patient or anamnesis; `version` is the one that was read. */
    updateRecord: (uuid: string, body: RecordUpdate & { version: number }, options: TextOptions = {}) =>
      post(
        '/api/v1/backoffice/cases/{uuid}/update-record',
        { params: { path: { uuid }, query: inLanguage(options) }, body },
        options,
      ),
    /** Judges anew whether the clinic takes the case. */
    checkEligibility: (
      uuid: string,
      body: EligibilityTrigger & { version: number },
      options: TextOptions = {},
    ) =>
      post(
        '/api/v1/backoffice/cases/{uuid}/trigger-eligibility',
        { params: { path: { uuid }, query: inLanguage(options) }, body },
        options,
      ),
    /** @param patient UUID, or the clinic's id. `reason` where the caller does not treat the patient. */
    history: (patient: string, query: HistoryQuery = {}, options: TextOptions = {}) =>
      get(
        '/api/v1/backoffice/history/{user_identifier}',
        { params: { path: { user_identifier: patient }, query: { ...query, ...inLanguage(options) } } },
        options,
      ),
    /** `version` is the one that was read. */
    updatePatient: (uuid: string, body: PatientChange & { version: number }, options: TextOptions = {}) =>
      patch('/api/v1/backoffice/patients/{uuid}', { params: { path: { uuid } }, body }, options),
    /** Sends each patient the message about the answer again, 100 at most; each succeeds or fails alone. */
    notifyPatients: (body: NotifyPatients, options: KeyOptions = {}) =>
      patch(
        '/api/v1/backoffice/cases/notify-patient',
        { params: { header: withKey(options) }, body },
        options,
      ),
    /** @param imgid UUID or name of a photo of a case. */
    image: (imgid: string, { variant, ...options }: ImageOptions = {}) =>
      get(
        '/api/v1/backoffice/images/{imgid}',
        { params: { path: { imgid }, query: inVariant(variant) }, parseAs: 'blob' },
        options,
      ),
    /** Photos with exactly these bytes in other cases; `hash` is `sha256` of a photo. */
    searchImages: (query: ImageQuery, options: TextOptions = {}) =>
      get('/api/v1/backoffice/images', { params: { query: { ...query, ...inLanguage(options) } } }, options),
  };
}
