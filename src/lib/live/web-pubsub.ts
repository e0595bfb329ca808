import type { WebPubSubServiceClient } from '@azure/web-pubsub';

/** Web PubSub refused the request or cannot be reached. */
export class HubUnavailable extends Error {
  constructor(cause: unknown) {
    super('Web PubSub is unavailable', { cause });
    this.name = 'HubUnavailable';
  }
}

export interface Invitation {
  /** With the token in its query: for the one client, and for nobody’s log. */
  url: string;
  expiresAt: Date;
}

/** One hub of Azure Web PubSub. Every method throws {@link HubUnavailable} when the service fails. */
export interface Hub {
  name: string;
  /** An address for one client, who receives what is sent to the group and can send nothing. */
  invite(to: { group: string; user: string }, now: Date): Promise<Invitation>;
  /** Whether a client of this user is connected. */
  isConnected(user: string): Promise<boolean>;
  sendToGroup(group: string, message: object): Promise<void>;
  sendToUser(user: string, message: object): Promise<void>;
}

export interface HubOptions {
  /** With an access key: for laptops. */
  connectionString?: string | undefined;
  /** Of a service that the app's managed identity may use; for Azure. */
  endpoint?: string | undefined;
  name: string;
}

/** How long a token lets its client connect. A connection that is open by then stays open. */
export const tokenMinutes = 60;
/** Messages that come late are worth nothing. */
const timeoutMs = 5000;

/** The SDK is loaded when it is first needed. */
export function createHub(options: HubOptions): Hub {
  let client: Promise<WebPubSubServiceClient> | undefined;

  async function ask<T>(work: (service: WebPubSubServiceClient) => Promise<T>): Promise<T> {
    try {
      return await work(await (client ??= connect(options)));
    } catch (error) {
      throw new HubUnavailable(error);
    }
  }

  const inTime = () => ({ abortSignal: AbortSignal.timeout(timeoutMs) });

  return {
    name: options.name,
    async invite({ group, user }, now) {
      const { url } = await ask((service) =>
        service.getClientAccessToken({
          ...inTime(),
          userId: user,
          groups: [group],
          roles: [],
          expirationTimeInMinutes: tokenMinutes,
        }),
      );
      return { url, expiresAt: new Date(now.getTime() + tokenMinutes * 60_000) };
    },
    isConnected: (user) => ask((service) => service.userExists(user, inTime())),
    sendToGroup: (group, message) => ask((service) => service.group(group).sendToAll(message, inTime())),
    sendToUser: (user, message) => ask((service) => service.sendToUser(user, message, inTime())),
  };
}

async function connect({ connectionString, endpoint, name }: HubOptions): Promise<WebPubSubServiceClient> {
  const { WebPubSubServiceClient } = await import('@azure/web-pubsub');
  const settings = { retryOptions: { maxRetries: 1 } };
  if (endpoint === undefined) {
    // The stand-in on a laptop has no TLS; production refuses such an address (config-rules.ts).
    return new WebPubSubServiceClient(connectionString ?? '', name, {
      ...settings,
      allowInsecureConnection: true,
    });
  }
  const { DefaultAzureCredential } = await import('@azure/identity');
  return new WebPubSubServiceClient(endpoint, new DefaultAzureCredential(), name, settings);
}
