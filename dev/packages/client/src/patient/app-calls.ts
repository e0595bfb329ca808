import type { CallOptions, TenantOptions, TextOptions } from '../call-options.ts';
import { type NamedCalls, ofTenant } from '../named-calls.ts';
import type { ConnectivityRequest, NewDevice, paths, RequestedMail } from '../schema.ts';

type ResourceName = paths['/api/v1/frontend/download_resource/{name}']['get']['parameters']['path']['name'];
type TextName = Exclude<ResourceName, `${string}.json`>;
type JsonName = Extract<ResourceName, `${string}.json`>;
export interface ResourceOptions extends TextOptions, TenantOptions {
  /** The current one where absent. */
  version?: string | undefined;
}

/** Push messages. */
export function deviceCalls({ post, delete: remove }: NamedCalls) {
  return {
    register: (body: NewDevice, options: CallOptions = {}) =>
      post('/api/v1/mobile/devices', { body }, options),
    remove: (uuid: string, options: CallOptions = {}) =>
      remove('/api/v1/mobile/devices/{uuid}', { params: { path: { uuid } } }, options),
  };
}

/** What an app reads when it starts. */
export function configCalls({ get, ask, inLanguage }: NamedCalls) {
  const resource = (name: ResourceName, options: ResourceOptions) => ({
    path: { name },
    query: {
      ...(options.version !== undefined && { version: options.version }),
      ...ofTenant(options),
      ...inLanguage(options),
    },
  });
  return {
    checkConnectivity: (body: ConnectivityRequest, options: TenantOptions & TextOptions = {}) =>
      ask(
        '/api/v1/mobile/config/check-connectivity',
        { params: { query: { ...ofTenant(options), ...inLanguage(options) } }, body },
        options,
      ),
    /** Those that the caller may see, such as `parameters('legal', 'consent')`. */
    parameters: (branch: string, subBranch: string, options: TenantOptions = {}) =>
      get(
        '/api/v1/mobile/config/parameters/{branch}/{sub_branch}',
        { params: { path: { branch, sub_branch: subBranch }, query: ofTenant(options) } },
        options,
      ),
    /** The key with which browsers subscribe to push messages. */
    pushKey: (options: CallOptions = {}) => get('/api/v1/mobile/config/push-key', {}, options),
    /** A published text; an empty line separates its paragraphs. */
    text: (name: TextName, options: ResourceOptions = {}) =>
      get(
        '/api/v1/frontend/download_resource/{name}',
        { params: resource(name, options), parseAs: 'text' },
        options,
      ),
    /** A published document, such as the map of the body, whose form the document of the API describes in words only. */
    resource: async (name: JsonName, options: ResourceOptions = {}): Promise<unknown> =>
      await get('/api/v1/frontend/download_resource/{name}', { params: resource(name, options) }, options),
  };
}

export function supportCalls({ post, inLanguage }: NamedCalls) {
  return {
    /** A mail to the clinic's support, or to the caller with a link to an answer. */
    sendEmail: (body: RequestedMail, options: TextOptions = {}) =>
      post('/api/v1/mobile/send-email', { body, params: { query: inLanguage(options) } }, options),
  };
}
