import { createOutbox, type Outbox, type OutboxOptions } from '../../src/lib/outbox/outbox.ts';

/**
 * An outbox that delivers when a test calls `drain`, and at no other time: the real one starts deliveries by itself after a
 * kick and when a message is due again, which would be in the middle of a later test.
 */
export function outboxOnDemand(options: OutboxOptions): Outbox {
  return {
    kick: () => undefined,
    async drain() {
      const outbox = createOutbox(options);
      try {
        return await outbox.drain();
      } finally {
        await outbox.close();
      }
    },
    close: async () => undefined,
  };
}
