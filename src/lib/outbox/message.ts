import type { Consumer } from './enqueue.ts';

/** A message as its consumer gets it. */
export interface OutboxMessage {
  id: number;
  consumer: Consumer;
  topic: string;
  tenantId: number | undefined;
  dedupeKey: string;
  payload: unknown;
  /** Counts from 1; together with `id` it names one worker's claim. */
  attempt: number;
}

/**
 * Acts on one message. It is called at least once: again after it threw, and after a crash even when it had done its
 * work, so what it sends carries `dedupeKey`.
 * @throws {Undeliverable} when trying again cannot help; anything else is tried again later.
 */
export type Deliver = (message: OutboxMessage) => Promise<void>;

/** What one worker does for a consumer. */
export interface ConsumerWork {
  /** What this worker can deliver, everything where absent; the rest waits for a worker that can. */
  topics?: readonly string[];
  deliver: Deliver;
}

/** Says that a message will never succeed: it goes dead at once. */
export class Undeliverable extends Error {
  /** For the table and the log: a word, no data. */
  readonly code: string;

  constructor(code: string, options?: { cause?: unknown }) {
    super(`undeliverable: ${code}`, options);
    this.name = 'Undeliverable';
    this.code = code;
  }
}

/** Thrown by `settle` when another worker has the message: whoever gets it undoes what they did. */
export class ClaimLost extends Error {
  readonly code = 'claim_lost';

  constructor() {
    super('another worker took the message over');
    this.name = 'ClaimLost';
  }
}
