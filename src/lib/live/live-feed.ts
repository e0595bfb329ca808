/** Where one client of a tenant receives what is published. */
export interface Subscription {
  /** Secret: the token is in it. */
  url: string;
  hub: string;
  group: string;
  expiresAt: Date;
}

/** Publishes the state of a tenant to those who have subscribed. */
export interface LiveFeed {
  /**
   * An address for a further client, who is sent a snapshot as soon as it has connected.
   * @throws {HubUnavailable} of web-pubsub.ts
   */
  invite(tenantId: number, now: Date): Promise<Subscription>;
  /** Something may have changed, or is about to be committed. Returns at once and never throws. */
  stir(tenantId: number): void;
  /** Publishes what has changed without a request, in every tenant. @returns how many messages were sent. */
  publishAll(): Promise<number>;
  close(): Promise<void>;
}
