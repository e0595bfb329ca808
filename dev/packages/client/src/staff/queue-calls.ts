import type { CallOptions, KeyOptions, QueryOf, TextOptions } from '../call-options.ts';
import { DermagateError } from '../dermagate-error.ts';
import { type NamedCalls, withKey } from '../named-calls.ts';
import type {
  AssignAction,
  CancelAction,
  CaseSearch,
  HoldAction,
  NextCaseRequest,
  paths,
  PendingChange,
  PlainCaseAction,
  PlainCaseActionName,
  ReleaseAction,
  ReopenAction,
  StaffCaseAction,
} from '../schema.ts';
import { followCounts, type LiveCounts } from './follow-counts.ts';

type BatchQuery = QueryOf<paths['/api/v1/backoffice/cases/batch/{uuid}']['get']>;
type ActionOptions = TextOptions & KeyOptions;
/** With `version` refused where the case has changed. */
type Details<Action> = Omit<Action, 'action'>;

/** The queue: take, find and move cases. What the caller may do now, `allowed_actions` of a case names. */
export function queueCalls({ get, ask, post, patch, inLanguage }: NamedCalls, user: () => Promise<unknown>) {
  const act = (uuid: string, body: StaffCaseAction, options: ActionOptions) =>
    post(
      '/api/v1/backoffice/cases/{uuid}/status',
      { params: { path: { uuid }, query: inLanguage(options), header: withKey(options) }, body },
      options,
    );
  const plain =
    (action: PlainCaseActionName) =>
    (uuid: string, details: Details<PlainCaseAction> = {}, options: ActionOptions = {}) =>
      act(uuid, { ...details, action }, options);

  return {
    /** The most urgent case for the caller, or `case: null` with `retry_after_seconds`. */
    next: (body: NextCaseRequest = {}, options: TextOptions = {}) =>
      post('/api/v1/backoffice/cases/next-case', { params: { query: inLanguage(options) }, body }, options),
    /** A page of cases; the `cursor` of the next page holds for the same filters. */
    search: (body: CaseSearch = {}, options: TextOptions = {}) =>
      ask('/api/v1/backoffice/cases/search', { params: { query: inLanguage(options) }, body }, options),
    /** The cases that were sent together. */
    batch: (uuid: string, query: BatchQuery = {}, options: TextOptions = {}) =>
      get(
        '/api/v1/backoffice/cases/batch/{uuid}',
        { params: { path: { uuid }, query: { ...query, ...inLanguage(options) } } },
        options,
      ),
    /** What can be done with these cases, and how their batches stand. */
    checkBatch: (caseUuids: readonly string[], options: CallOptions = {}) =>
      ask('/api/v1/backoffice/cases/check-batch', { body: { case_uuids: [...caseUuids] } }, options),

    /** How the queue of the tenant stands now; needs `analytics.read`. */
    counts: (options: CallOptions = {}) => get('/api/v1/backoffice/analytics', {}, options),
    /**
     * Live counts of the tenant's queue, for `for await`: a snapshot first, then every change. It reconnects by itself, and ends
     * with the session or by `signal`; rejects for what no wait can change, and with `live_unavailable` where the gateway has
     * none: ask for `counts` every 30 seconds then. Browsers and Node 22.
     */
    followCounts: (options: Pick<CallOptions, 'signal'> = {}): AsyncGenerator<LiveCounts, void, void> =>
      followCounts(
        (signal) => get('/api/v1/backoffice/subscribe-analytics', {}, { signal }).catch(endedBy),
        user,
        options,
      ),

    claim: plain('claim'),
    renewLease: plain('renew_lease'),
    /** Puts the case back into the queue; the draft of its answer stays. */
    release: (uuid: string, details: Details<ReleaseAction>, options: ActionOptions = {}) =>
      act(uuid, { ...details, action: 'release' }, options),
    /** With `awaiting_patient`, `message` goes to the patient. */
    hold: (uuid: string, details: Details<HoldAction>, options: ActionOptions = {}) =>
      act(uuid, { ...details, action: 'hold' }, options),
    resume: plain('resume'),
    assign: (uuid: string, details: Details<AssignAction>, options: ActionOptions = {}) =>
      act(uuid, { ...details, action: 'assign' }, options),
    cancel: (uuid: string, details: Details<CancelAction>, options: ActionOptions = {}) =>
      act(uuid, { ...details, action: 'cancel' }, options),
    reopen: (uuid: string, details: Details<ReopenAction>, options: ActionOptions = {}) =>
      act(uuid, { ...details, action: 'reopen' }, options),
    /** Withdraws a signed answer that its patient cannot read yet. */
    undo: plain('undo'),
    /** Of cases on hold; each change succeeds or fails alone. */
    changePendingStatuses: (changes: readonly PendingChange[], options: KeyOptions = {}) =>
      patch(
        '/api/v1/backoffice/cases/changes-pending-status',
        { params: { header: withKey(options) }, body: { changes: [...changes] } },
        options,
      ),
  };
}

/** The session of the counts has ended, which ends them without an error. */
function endedBy(reason: unknown): 'ended' {
  if (reason instanceof DermagateError && reason.status === 401) return 'ended';
  throw reason;
}
