import type { NewsDelivery } from '../../notices/news/news-delivery.ts';
import type { Repetition } from '../events/record-refusal.ts';

/** What the consumer `mail` works with. */
export interface MailDelivery extends NewsDelivery {
  production: boolean;
  /** For requests about addresses without an account. */
  repetition: Repetition;
}
