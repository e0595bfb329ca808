import type { Language } from '../../../contract/language.ts';
import { layOutMail, type RenderedMail } from '../mails/mail-layout.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };
import type { NewsKind } from '../../announce/news/news.ts';

const messages = loadMessages({ en, he, ar, es });

/**
 * Mails and push messages name neither disease nor answer, because others may see the phone. That an answer does not count is
 * named: its patient may be following it.
 */
const textOf = {
  answer_published: 'news',
  answer_amended: 'news',
  answer_withdrawn: 'withdrawn',
  not_eligible: 'news',
  patient_asked: 'ask',
  patient_reminded: 'reminder',
  expired: 'expired',
  flags_found: 'urgent',
  emergency: 'on_call',
  cancelled_with_flags: 'on_call_cancelled',
  assigned: 'assigned',
  correction_required: 'correction',
} as const satisfies Record<NewsKind, Exclude<keyof typeof en, 'greeting'>>;

export interface NewsValues {
  /** Of the account. */
  email: string;
  /** When a case that waits for its patient expires. */
  until: Date;
}

export function renderNewsMail(
  kind: NewsKind,
  language: Language,
  values: NewsValues,
  link: string,
): RenderedMail {
  const texts = messages.in(language);
  const { subject, text, action, after } = texts[textOf[kind]];
  const message = { subject, before: [texts.greeting, text], action, after: [after] };
  return layOutMail(language, message, { ...values }, link);
}

export function renderNewsPush(kind: NewsKind, language: Language): { title: string; body: string } {
  const { subject, push } = messages.in(language)[textOf[kind]];
  return { title: subject, body: push };
}
