import type { Language } from '../../../contract/language.ts';

/** Texts by code, in groups where there are many. */
export interface Texts {
  readonly [code: string]: string | Texts;
}

/** A message file. `_machineDrafted` stays at its top until a native clinician has reviewed the texts. */
export type MessageFile<Content extends Texts> = Content & { readonly _machineDrafted?: boolean };

export interface Messages<Content extends Texts> {
  in(language: Language): Content;
  isMachineDrafted(language: Language): boolean;
}

/** Makes one area's message files, one per language, ready for display. */
export function loadMessages<Content extends Texts>(
  files: Readonly<Record<Language, MessageFile<Content>>>,
): Messages<Content> {
  const languages = Object.keys(files) as Language[];
  const ready = new Map(languages.map((language) => [language, contentOf(files[language], language)]));
  return {
    in: (language) => ready.get(language) ?? files.en,
    isMachineDrafted: (language) => files[language]._machineDrafted === true,
  };
}

function contentOf<Content extends Texts>(file: MessageFile<Content>, language: Language): Content {
  const { _machineDrafted: _mark, ...content } = file;
  return (isRightToLeft(language) ? withIsolates(content) : content) as Content;
}

export function isRightToLeft(language: Language): boolean {
  return language === 'he' || language === 'ar';
}

/** Numbers with their unit, ranges and dates, words and codes in Latin letters: `38.5 °C`, `1%`, `7–10`, `COVID-19`. */
const leftToRightRun =
  /(?:(?<![\p{L}\p{N}])[-−](?=\d))?[\p{Script=Latin}\d°×](?:[\p{Script=Latin}\d°×%.,+-]|(?<=\d)[/:–](?=\d)| (?=[\p{Script=Latin}\d°×]))*(?<![.,])/gu;

/** Inside a right-to-left sentence such runs keep their own order, and the sentence keeps its (Unicode UAX #9). */
function withIsolates(texts: Texts): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([code, text]) => [
      code,
      typeof text === 'string' ? text.replaceAll(placeholderOrRun, isolateRun) : withIsolates(text),
    ]),
  );
}

const placeholderOrRun = new RegExp(String.raw`\{[a-z]+\}|${leftToRightRun.source}`, 'gu');

const isolateRun = (found: string) => (found.startsWith('{') ? found : isolate(found));

const isolate = (text: string) => `\u2068${text}\u2069`;

/** What could turn the text around it, or begin a line. */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu;

/** Words of a person or of another language, for a place in a sentence: they cannot turn the text around them. */
export function isolated(words: string): string {
  return isolate(words.replaceAll(controls, ' ').trim());
}

const rightToLeftLetter = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * Words of a person for a plain text in `language`, with their line breaks. They can neither turn the text around them nor
 * begin a paragraph or an item of a list; in a right-to-left line, numbers and codes keep their order. Empty where nothing
 * but blanks and controls was given.
 */
export function embedded(words: string, language: Language): string {
  const lines = words.split(/[\n\v\f\r\u0085\u2028\u2029]+/).map(bareLine);
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      if (rightToLeftLetter.test(line)) return isolate(line.replaceAll(leftToRightRun, isolate));
      return isRightToLeft(language) ? isolate(line) : line;
    })
    .join('\n');
}

/** Direction marks stand within words, as in our own labels; other controls part them. */
function bareLine(line: string): string {
  const bare = line
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(controls, ' ')
    .trim();
  return bare.replace(/^-(?=\s|$)/, '–');
}

/** What a text for people says between such words: its lines are its own, and its numbers keep their order. */
export function fixedText(text: string, language: Language): string {
  const clean = text
    .replaceAll(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/\p{Bidi_Control}/gu, '')
    .replaceAll(/[^\P{Cc}\n]/gu, ' ');
  return isRightToLeft(language) ? clean.replaceAll(leftToRightRun, isolate) : clean;
}

/** Puts values into the places of a text: `{name}`. A place without a value stays as it is. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (place, name: string) => values[name] ?? place);
}
