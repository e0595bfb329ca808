import type { NewsDelivery } from '../news/news-delivery.ts';
import type { Repetition } from '../../platform/events/record-refusal.ts';

/** What the consumer `mail` works with. */
export interface MailDelivery extends NewsDelivery {
  production: boolean;
  /** For requests about addresses without an account. */
  repetition: Repetition;
}
