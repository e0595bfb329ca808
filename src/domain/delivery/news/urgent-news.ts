import { audiences, type NewsKind, type NewsPayload } from '../../announce/news/news.ts';
import { isUrgentAction } from '../../intake/triage/action-level.ts';
import type { NewsCase } from './news.queries.ts';

type Answered = Pick<NewsCase, 'answer_action'>;

/** Whether news is of an answer that must be read at once: the answer counts, however harmless the case looked before. */
export const isUrgentAnswer = (kind: NewsKind, { answer_action: action }: Answered): boolean =>
  (kind === 'answer_published' || kind === 'answer_amended') && isUrgentAction(action);

/** Whether news is sent at night as well, and whatever channels a person has chosen. */
export const isUrgentNews = ({ kind }: Pick<NewsPayload, 'kind'>, record: Answered): boolean =>
  audiences[kind].isUrgent || isUrgentAnswer(kind, record);
