// The operations of apps for patients, by noun instead of by path.
import type { Calls } from './calls.ts';
import type {
  CaseAction,
  CaseActionName,
  CaseCreation,
  CaseUpdate,
  ConnectivityRequest,
  Language,
  NewDevice,
  NewOffspring,
  OffspringList,
  paths,
  ProfileChange,
} from './schema.ts';

export interface CallOptions {
  /** The caller decides how long to wait. */
  signal?: AbortSignal;
}

/** Of calls whose reply contains texts for people. */
export interface TextOptions extends CallOptions {
  lang?: Language;
}

/** Of calls that make something: with the same key a retry within 24 hours gets the first reply. */
export interface KeyOptions extends CallOptions {
  idempotencyKey?: string;
}

/** A caller without a token names the tenant. */
export interface TenantOptions extends CallOptions {
  tenant?: string;
}

type CaseListQuery = NonNullable<paths['/api/v1/mobile/cases']['get']['parameters']['query']>;
/** `consent` to submit, `message` to reply, `reason` to cancel; with `version` refused where the case has changed. */
export type CaseActionDetails = Omit<CaseAction, 'action'>;

const inLanguage = ({ lang }: TextOptions) => (lang === undefined ? {} : { lang });
const ofTenant = ({ tenant }: TenantOptions) => (tenant === undefined ? {} : { tenant });
const withKey = ({ idempotencyKey: key }: KeyOptions) =>
  key === undefined ? {} : { 'idempotency-key': key };
const untilAborted = ({ signal }: CallOptions) => (signal === undefined ? {} : { signal });

/** Each call sends exactly one request, and returns what the call by path returns. */
export function groupedCalls({ GET, POST, PATCH, DELETE }: Calls) {
  type CaseOptions = TextOptions & KeyOptions;

  const act =
    (action: CaseActionName) =>
    (uuid: string, details: CaseActionDetails = {}, options: CaseOptions = {}) =>
      POST('/api/v1/mobile/cases/{uuid}/status', {
        params: { path: { uuid }, query: inLanguage(options), header: withKey(options) },
        body: { ...details, action },
        ...untilAborted(options),
      });

  return {
    /** Cases: one skin problem of one person at one time. */
    cases: {
      /** Creates a draft; with `submit` and `consent` it is submitted at once, and the reply contains advice. */
      create: (body: CaseCreation, options: CaseOptions = {}) =>
        POST('/api/v1/mobile/cases/create', {
          params: { query: inLanguage(options), header: withKey(options) },
          body,
          ...untilAborted(options),
        }),
      /** Changes a draft, or adds what was asked for; `version` is the one that was read. */
      update: (body: CaseUpdate & { version: number }, options: TextOptions = {}) =>
        POST('/api/v1/mobile/cases/update', {
          params: { query: inLanguage(options) },
          body,
          ...untilAborted(options),
        }),
      /** The draft is complete; needs `consent`. */
      submit: act('submit'),
      /** What was asked for is there. */
      reply: act('reply'),
      /** The case ends without an answer. */
      cancel: act('cancel'),
      /** The answer has been read. */
      acknowledge: act('acknowledge'),
      /** A page of the account's cases, the newest first; `next_cursor` of the reply is the `cursor` of the next page. */
      list: (query: Omit<CaseListQuery, 'lang'> = {}, options: TextOptions = {}) =>
        GET('/api/v1/mobile/cases', {
          params: { query: { ...query, ...inLanguage(options) } },
          ...untilAborted(options),
        }),
      get: (uuid: string, options: TextOptions = {}) =>
        GET('/api/v1/mobile/cases/{uuid}', {
          params: { path: { uuid }, query: inLanguage(options) },
          ...untilAborted(options),
        }),
      /** What physicians have answered. */
      annotations: (uuid: string, options: TextOptions = {}) =>
        GET('/api/v1/mobile/cases/{uuid}/annotations', {
          params: { path: { uuid }, query: inLanguage(options) },
          ...untilAborted(options),
        }),
    },

    /** The people whom the account acts for. */
    profiles: {
      /** The account owner's own profile first. */
      list: (options: CallOptions = {}) => GET('/api/v1/mobile/users/profiles', untilAborted(options)),
      /** `version` is the one that was read. */
      update: (uuid: string, body: ProfileChange & { version: number }, options: CallOptions = {}) =>
        PATCH('/api/v1/mobile/users/profiles/{uuid}', {
          params: { path: { uuid } },
          body,
          ...untilAborted(options),
        }),
      /** Adds a child, a ward or another person. */
      addOffspring: (body: NewOffspring, options: KeyOptions = {}) =>
        POST('/api/v1/mobile/users/offsprings', {
          params: { header: withKey(options) },
          body,
          ...untilAborted(options),
        }),
      /** @param technicalID the `external_id` of the account owner's own profile. */
      syncOffsprings: (technicalID: string, body: OffspringList, options: CallOptions = {}) =>
        POST('/api/v1/mobile/users/offsprings-v2/{technicalID}', {
          params: { path: { technicalID } },
          body,
          ...untilAborted(options),
        }),
    },

    /** Push messages. */
    devices: {
      register: (body: NewDevice, options: CallOptions = {}) =>
        POST('/api/v1/mobile/devices', { body, ...untilAborted(options) }),
      remove: (uuid: string, options: CallOptions = {}) =>
        DELETE('/api/v1/mobile/devices/{uuid}', { params: { path: { uuid } }, ...untilAborted(options) }),
    },

    /** What an app reads when it starts. */
    config: {
      checkConnectivity: (body: ConnectivityRequest, options: TenantOptions & TextOptions = {}) =>
        POST('/api/v1/mobile/config/check-connectivity', {
          params: { query: { ...ofTenant(options), ...inLanguage(options) } },
          body,
          ...untilAborted(options),
        }),
      /** Those that the caller may see, such as `parameters('legal', 'consent')`. */
      parameters: (branch: string, subBranch: string, options: TenantOptions = {}) =>
        GET('/api/v1/mobile/config/parameters/{branch}/{sub_branch}', {
          params: { path: { branch, sub_branch: subBranch }, query: ofTenant(options) },
          ...untilAborted(options),
        }),
    },
  };
}

export type GroupedCalls = ReturnType<typeof groupedCalls>;
