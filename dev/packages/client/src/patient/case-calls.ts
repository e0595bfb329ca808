import type { KeyOptions, QueryOf, TextOptions } from '../call-options.ts';
import { type NamedCalls, withKey } from '../named-calls.ts';
import type {
  AcknowledgeAction,
  CaseAction,
  CaseCreation,
  CaseUpdate,
  paths,
  SendCaseAction,
  WithdrawCaseAction,
} from '../schema.ts';

/** With `version` refused where the case has changed. */
type Details<Action> = Omit<Action, 'action'>;
type CaseListQuery = QueryOf<paths['/api/v1/mobile/cases']['get']>;
type CaseOptions = TextOptions & KeyOptions;

/** Cases: one skin problem of one person at one time. */
export function caseCalls({ get, post, inLanguage }: NamedCalls) {
  const act = (uuid: string, body: CaseAction, options: CaseOptions) =>
    post(
      '/api/v1/mobile/cases/{uuid}/status',
      { params: { path: { uuid }, query: inLanguage(options), header: withKey(options) }, body },
      options,
    );
  const send =
    (action: SendCaseAction['action']) =>
    (uuid: string, details: Details<SendCaseAction> = {}, options: CaseOptions = {}) =>
      act(uuid, { ...details, action }, options);

  return {
    /** Creates a draft; with `submit` and `consent` it is submitted at once, and the reply contains advice. */
    create: (body: CaseCreation, options: CaseOptions = {}) =>
      post(
        '/api/v1/mobile/cases/create',
        { params: { query: inLanguage(options), header: withKey(options) }, body },
        options,
      ),
    /** Changes a draft, or adds what was asked for; `version` is the one that was read. */
    update: (body: CaseUpdate & { version: number }, options: TextOptions = {}) =>
      post('/api/v1/mobile/cases/update', { params: { query: inLanguage(options) }, body }, options),
    /** The draft is complete; needs `consent`. */
    submit: send('submit'),
    /** What was asked for is there; about an answer, a question as `message`. */
    reply: send('reply'),
    /** The case ends without an answer. */
    cancel: (uuid: string, details: Details<WithdrawCaseAction> = {}, options: CaseOptions = {}) =>
      act(uuid, { ...details, action: 'cancel' }, options),
    /** The answer has been read. */
    acknowledge: (uuid: string, details: Details<AcknowledgeAction> = {}, options: CaseOptions = {}) =>
      act(uuid, { ...details, action: 'acknowledge' }, options),
    /** A page of the account's cases, the newest first; `next_cursor` of the reply is the `cursor` of the next page. With `view: 'summary'` they come without answers and photos. */
    list: (query: CaseListQuery = {}, options: TextOptions = {}) =>
      get('/api/v1/mobile/cases', { params: { query: { ...query, ...inLanguage(options) } } }, options),
    get: (uuid: string, options: TextOptions = {}) =>
      get('/api/v1/mobile/cases/{uuid}', { params: { path: { uuid }, query: inLanguage(options) } }, options),
    /** What physicians have answered. */
    annotations: (uuid: string, options: TextOptions = {}) =>
      get(
        '/api/v1/mobile/cases/{uuid}/annotations',
        { params: { path: { uuid }, query: inLanguage(options) } },
        options,
      ),
  };
}
