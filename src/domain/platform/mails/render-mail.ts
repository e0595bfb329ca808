import type { Language } from '../../../contract/language.ts';
import { isRightToLeft } from '../texts/messages.ts';
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
  | 'password_changed';

/** What the texts of a kind have places for. */
export interface MailValues {
  password_reset: { email: string; until: Date };
  email_verification: { email: string; until: Date };
  invitation: { email: string; tenant: string; until: Date };
  invitation_of_account: { email: string; tenant: string };
  password_changed: { email: string; changed: Date };
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/** @param link where the one button goes; in the text it stands alone on its line, so that it stays one link. */
export function renderMail<Kind extends MailKind>(
  kind: Kind,
  language: Language,
  values: MailValues[Kind],
  link: string,
): RenderedMail {
  const { [kind]: message, copy_link: copyLink, footer } = texts[language];
  const turned = isRightToLeft(language);
  const shown = Object.entries<string | Date>({ ...values }).map(([name, value]): [string, string] => [
    name,
    value instanceof Date ? pointInTime(value, language) : oneLine(value),
  ]);
  // First-strong isolates keep an address from turning the sentence around it (Unicode UAX #9).
  const isolated = (value: string) => (turned ? `\u2068${value}\u2069` : value);
  const asText = new Map(shown.map(([name, value]) => [name, isolated(value)]));
  const asHtml = new Map(shown.map(([name, value]) => [name, `<bdi>${escapeHtml(value)}</bdi>`]));
  const href = escapeHtml(link);
  const paragraph = (template: string) => `<p>${fill(escapeHtml(template), asHtml)}</p>`;

  return {
    subject: message.subject,
    text: [
      ...message.before.map((template) => fill(template, asText)),
      link,
      ...message.after.map((template) => fill(template, asText)),
      `-- \n${footer}`,
    ].join('\n\n'),
    html: [
      '<!doctype html>',
      `<html lang="${language}" dir="${turned ? 'rtl' : 'ltr'}">`,
      '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escapeHtml(message.subject)}</title></head>`,
      '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1b1b1b;background:#ffffff">',
      '<div style="max-width:560px;margin:0 auto">',
      ...message.before.map(paragraph),
      `<p><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:6px;` +
        `background:#0b57a4;color:#ffffff;text-decoration:none">${escapeHtml(message.action)}</a></p>`,
      ...message.after.map(paragraph),
      `<p style="color:#5c5c5c;font-size:14px">${escapeHtml(copyLink)}</p>`,
      `<p dir="ltr" style="font-size:14px;word-break:break-all"><a href="${href}">${href}</a></p>`,
      `<p style="color:#5c5c5c;font-size:14px">${escapeHtml(footer)}</p>`,
      '</div></body></html>',
    ].join('\n'),
  };
}

/** What people have named can neither fake a line nor turn the text around it. */
function oneLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}

/** In UTC, because the reader's time zone is unknown; with a 24-hour clock and European digits. */
function pointInTime(date: Date, language: Language): string {
  const locale = language === 'en' ? 'en-GB' : language;
  const format = new Intl.DateTimeFormat(locale, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'UTC',
    hourCycle: 'h23',
    numberingSystem: 'latn',
  });
  return `${format.format(date)} UTC`;
}

function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{([a-z_]+)\}/g, (place, name: string) => values.get(name) ?? place);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character);
}
