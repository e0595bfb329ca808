import type { Tx } from '../db/connect.ts';
import type { Consumer } from './enqueue.ts';

/** A message as its consumer receives it. */
export interface OutboxMessage {
  id: number;
  consumer: Consumer;
  topic: string;
  tenantId: number | undefined;
  dedupeKey: string;
  payload: unknown;
  createdAt: Date;
  /** Counts from 1; together with `id` it identifies one worker's claim. */
  attempt: number;
}

/**
 * Delivers one message. It is called again after it threw, and after a crash even if it had finished, so everything it
 * sends carries `dedupeKey`.
 * @throws {Undeliverable} when a retry cannot help; the worker retries after any other error.
 */
export type Deliver = (message: OutboxMessage) => Promise<void>;

/** One worker's part of a consumer. */
export interface ConsumerWork {
  /** Topics that this worker can deliver, all by default; other messages wait for a worker that can. */
  topics?: readonly string[];
  deliver: Deliver;
  /**
   * Seconds that a delivery takes at most, where these are more than 20: its messages are claimed for longer, so that no
   * other worker delivers them as well.
   */
  deliverySeconds?: number;
  /**
   * Whether a delivery leaves messages to other consumers, even one that fails: they are delivered at once, as those of a
   * request are.
   */
  leavesMessages?: boolean;
  /**
   * Seconds until the next attempt, by the number of attempts so far; `backoffSeconds` by default. An error may ask for more
   * by a `retryAfterSeconds` of its own.
   */
  retryAfterSeconds?: (attempts: number, topic: string) => number;
  /**
   * Called in the transaction in which a message is given up, as undeliverable or after its last attempt.
   * @returns whether that settles it; otherwise the message stays, dead, for an operator.
   */
  acceptFailure?: (tx: Tx, message: OutboxMessage, code: string) => Promise<boolean>;
}

/** Thrown for a message that can never succeed: the worker marks it dead at once. */
export class Undeliverable extends Error {
  /** For the table and the log: one word without data. */
  readonly code: string;

  constructor(code: string, options?: { cause?: unknown }) {
    super(`undeliverable: ${code}`, options);
    this.name = 'Undeliverable';
    this.code = code;
  }
}

/** Thrown for a message that is to wait: it is due again at `until`, and the attempt does not count. */
export class NotYet extends Error {
  readonly code = 'not_yet';
  readonly until: Date;

  constructor(until: Date) {
    super('not yet');
    this.name = 'NotYet';
    this.until = until;
  }
}

/** Thrown by `settle` when another worker has claimed the message: the caller must roll back its transaction. */
export class ClaimLost extends Error {
  readonly code = 'claim_lost';

  constructor() {
    super('another worker took the message over');
    this.name = 'ClaimLost';
  }
}
