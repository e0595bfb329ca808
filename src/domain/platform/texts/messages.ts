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

/** Numbers with their unit, and words and codes in Latin letters: `38.5 °C`, `1%`, `COVID-19`, `JPEG`. */
const leftToRightRun =
  /[\p{Script=Latin}\d°×](?:[\p{Script=Latin}\d°×%.,+-]| (?=[\p{Script=Latin}\d°×]))*(?<![.,])/gu;

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

const isolateRun = (found: string) => (found.startsWith('{') ? found : `\u2068${found}\u2069`);

/** Words of a person or of another language, for a place in a sentence: they cannot turn the text around them. */
export function isolated(words: string): string {
  return `\u2068${words.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim()}\u2069`;
}

/** Puts values into the places of a text: `{name}`. A place without a value stays as it is. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{([a-z]+)\}/g, (place, name: string) => values[name] ?? place);
}
