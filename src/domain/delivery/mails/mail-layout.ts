import type { Language } from '../../../contract/language.ts';
import { isRightToLeft } from '../../platform/texts/messages.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

const frames: Record<Language, { copy_link: string; footer: string }> = { en, he, ar, es };

/** What a mail says: paragraphs before and after its one button, with places such as `{email}`. */
export interface MailText {
  subject: string;
  before: readonly string[];
  action: string;
  after: readonly string[];
  /** Whether somebody reads replies to it. */
  isAnswerable?: boolean;
}

export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

/**
 * Inline styles are what every mail program reads: dark on light. Programs that know `prefers-color-scheme` take the
 * colours of the class instead; others turn all colours round, which these survive.
 */
const colours = {
  page: { light: 'color:#1b1b1b;background:#ffffff', dark: 'color:#ececec;background:#121212' },
  button: { light: 'color:#ffffff;background:#0b57a4', dark: 'color:#08203a;background:#8ab8f0' },
  link: { light: 'color:#0b57a4', dark: 'color:#8ab8f0' },
  note: { light: 'color:#5c5c5c', dark: 'color:#b0b0b0' },
} as const;

const style = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){',
  ...Object.entries(colours).map(
    ([name, { dark }]) =>
      `.${name}{${dark
        .split(';')
        .map((rule) => `${rule}!important`)
        .join(';')}}`,
  ),
  '}',
].join('');

/** @param link where the one button goes; in the text it stands alone on its line, so that it stays one link. */
export function layOutMail(
  language: Language,
  message: MailText,
  values: Readonly<Record<string, string | Date>>,
  link: string,
): RenderedMail {
  const { copy_link: copyLink, footer } = frames[language];
  const turned = isRightToLeft(language);
  const shown = Object.entries(values).map(([name, value]): [string, string] => [
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
      ...(message.isAnswerable === true ? [] : [`-- \n${footer}`]),
    ].join('\n\n'),
    html: [
      '<!doctype html>',
      `<html lang="${language}" dir="${turned ? 'rtl' : 'ltr'}">`,
      '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
      `<title>${escapeHtml(message.subject)}</title><style>${style}</style></head>`,
      `<body class="page" style="margin:0;${colours.page.light}">`,
      `<div class="page" style="padding:24px;font:16px/1.5 sans-serif;${colours.page.light}">`,
      '<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">',
      ...message.before.map(paragraph),
      `<p><a class="button" href="${href}" style="display:inline-block;padding:12px 20px;border-radius:6px;` +
        `text-decoration:none;${colours.button.light}">${escapeHtml(message.action)}</a></p>`,
      ...message.after.map(paragraph),
      `<p class="note" style="font-size:14px;${colours.note.light}">${escapeHtml(copyLink)}</p>`,
      `<p dir="ltr" style="font-size:14px;word-break:break-all">` +
        `<a class="link" href="${href}" style="${colours.link.light}">${href}</a></p>`,
      ...(message.isAnswerable === true
        ? []
        : [`<p class="note" style="font-size:14px;${colours.note.light}">${escapeHtml(footer)}</p>`]),
      '</div></div></body></html>',
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
  return template.replaceAll(/\{([a-z_0-9]+)\}/g, (place, name: string) => values.get(name) ?? place);
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
