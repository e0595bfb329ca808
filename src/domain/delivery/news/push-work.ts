import type { ConsumerWork } from '../../../lib/outbox/message.ts';
import { deliverNews } from './deliver-news.ts';
import type { NewsDelivery } from '../../announce/news/news-delivery.ts';
import { acceptFailure } from './news-outcome.ts';

/** The outbox's consumer `push`. */
export function createPushWork(delivery: NewsDelivery): ConsumerWork {
  return { deliver: (message) => deliverNews(delivery, message), acceptFailure };
}
