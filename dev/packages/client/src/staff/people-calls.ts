import type { CallOptions, KeyOptions, QueryOf, TextOptions } from '../call-options.ts';
import { type NamedCalls, withKey } from '../named-calls.ts';
import type {
  ActivityChange,
  GroupChange,
  GroupMemberChange,
  InvitationRequest,
  NewGroup,
  NewPhysician,
  paths,
  PhysicianQuery,
  PhysicianSettingsChange,
  RegistrationRequest,
  UserChange,
  UserSearch,
} from '../schema.ts';

type GroupQuery = QueryOf<paths['/api/v1/backoffice/groups']['get']>;
type MemberQuery = QueryOf<paths['/api/v1/backoffice/groups/{uuid}']['get']>;

export function physicianCalls({ ask, post, patch }: NamedCalls) {
  return {
    /** Physicians and how much they have to do: those that `uuids` names, or a page of those that fit `filter`. */
    list: (body: PhysicianQuery = {}, options: CallOptions = {}) =>
      ask('/api/v1/backoffice/physicians/details', { body }, options),
    /** Creates the profile of a physician, and invites them. */
    create: (body: NewPhysician, options: KeyOptions = {}) =>
      post('/api/v1/backoffice/physicians', { params: { header: withKey(options) }, body }, options),
    /** Away or back; the caller where the body names no physician. */
    changeActivity: (body: ActivityChange, options: CallOptions = {}) =>
      patch('/api/v1/backoffice/physicians/activity', { body }, options),
    /** Of the caller where the body names no physician; `version` is the one that was read. */
    updateSettings: (body: PhysicianSettingsChange & { version: number }, options: CallOptions = {}) =>
      patch('/api/v1/backoffice/physicians/settings', { body }, options),
  };
}

/** Groups of staff; their settings grant capabilities. */
export function groupCalls({ get, post, patch, delete: remove }: NamedCalls) {
  return {
    list: (query: GroupQuery = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/groups', { params: { query } }, options),
    /** A group with a page of its members. */
    get: (uuid: string, query: MemberQuery = {}, options: CallOptions = {}) =>
      get('/api/v1/backoffice/groups/{uuid}', { params: { path: { uuid }, query } }, options),
    create: (body: NewGroup, options: CallOptions = {}) =>
      post('/api/v1/backoffice/groups', { body }, options),
    /** `version` is the one that was read. */
    update: (uuid: string, body: GroupChange & { version: number }, options: CallOptions = {}) =>
      patch('/api/v1/backoffice/groups/{uuid}', { params: { path: { uuid } }, body }, options),
    delete: (uuid: string, options: CallOptions = {}) =>
      remove('/api/v1/backoffice/groups/{uuid}', { params: { path: { uuid } } }, options),
    changeMembers: (uuid: string, body: GroupMemberChange, options: CallOptions = {}) =>
      patch('/api/v1/backoffice/groups/{uuid}/members', { params: { path: { uuid } }, body }, options),
  };
}

/** The accounts of the tenant. */
export function userCalls({ get, ask, post, patch, inLanguage }: NamedCalls) {
  return {
    search: (body: UserSearch = {}, options: CallOptions = {}) =>
      ask('/api/v1/backoffice/users/search', { body }, options),
    get: (uuid: string, options: CallOptions = {}) =>
      get('/api/v1/backoffice/users/{uuid}', { params: { path: { uuid } } }, options),
    /** Creates an account for another person. Its tokens are in the reply; the caller stays signed in. */
    create: (body: RegistrationRequest, options: TextOptions = {}) =>
      post('/api/auth/register', { body, params: { query: inLanguage(options) } }, options),
    /** Role and whether the account is active; `version` is the one that was read. */
    change: (uuid: string, body: UserChange & { version: number }, options: CallOptions = {}) =>
      patch('/api/v1/backoffice/users/{uuid}', { params: { path: { uuid } }, body }, options),
    endSessions: (uuid: string, options: CallOptions = {}) =>
      post('/api/v1/backoffice/users/{uuid}/end-sessions', { params: { path: { uuid } } }, options),
  };
}

export function invitationCalls({ get, post, delete: remove, inLanguage }: NamedCalls) {
  return {
    /** Sends an invitation in the language of the call; a newer one for the same address replaces it. */
    create: (body: InvitationRequest, options: TextOptions = {}) =>
      post('/api/auth/invitations', { body, params: { query: inLanguage(options) } }, options),
    /** The open ones, the newest first. */
    list: (options: CallOptions = {}) => get('/api/v1/backoffice/invitations', {}, options),
    resend: (uuid: string, options: TextOptions = {}) =>
      post(
        '/api/v1/backoffice/invitations/{uuid}/resend',
        { params: { path: { uuid }, query: inLanguage(options) } },
        options,
      ),
    revoke: (uuid: string, options: CallOptions = {}) =>
      remove('/api/v1/backoffice/invitations/{uuid}', { params: { path: { uuid } } }, options),
  };
}
