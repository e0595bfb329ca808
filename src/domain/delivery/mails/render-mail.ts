import type { Language } from '../../../contract/language.ts';
import { layOutMail, type RenderedMail } from './mail-layout.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

// Every language says what English says; `_machineDrafted` stays until a native speaker has reviewed it.
const texts: Record<Language, typeof en> = { en, he, ar, es };

export type MailKind =
  | 'password_reset'
  | 'email_verification'
  | 'invitation'
  | 'invitation_of_account'
  | 'invitation_of_inactive'
  | 'password_changed';

/** What the texts of a kind have places for. */
export interface MailValues {
  password_reset: { email: string; until: Date };
  email_verification: { email: string; until: Date };
  invitation: { email: string; tenant: string; until: Date };
  invitation_of_account: { email: string; tenant: string };
  /** As the one before, where the account cannot be logged into. */
  invitation_of_inactive: { email: string; tenant: string };
  password_changed: { email: string; changed: Date };
}

/** @param link where the one button goes. */
export function renderMail<Kind extends MailKind>(
  kind: Kind,
  language: Language,
  values: MailValues[Kind],
  link: string,
): RenderedMail {
  return layOutMail(language, texts[language][kind], { ...values }, link);
}

/**
 * A user's words to the clinic's support. @param text as the user wrote it; each of its lines becomes a paragraph.
 */
export function renderSupportRequest(
  language: Language,
  values: { account: string; email: string; case: string },
  text: string,
  link: string,
): RenderedMail {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const message = texts[language].support_request;
  const places = lines.map((_, number) => `{line_${number}}`);
  const words = Object.fromEntries(lines.map((line, number) => [`line_${number}`, line]));
  const before = [...message.before, ...places];
  return layOutMail(language, { ...message, before, isAnswerable: true }, { ...values, ...words }, link);
}
