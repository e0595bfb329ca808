import type { Language } from '../../../contract/language.ts';
import { createTemplateEngine, type TextTemplate } from '../../../lib/text-template/template-engine.ts';
import { embedded, fixedText } from '../../platform/texts/messages.ts';
import type { AnswerData } from './answer-data.ts';
import { longDate } from './long-date.ts';
import { placeholders } from './placeholders.ts';

const engines = new Map<Language, (body: string) => TextTemplate>();

/**
 * Reads a template of answers.
 * @throws {TemplateError} which `template-problem.ts` turns into a problem.
 */
export function readTemplate(body: string, language: Language): TextTemplate {
  const engine = engines.get(language) ?? createEngine(language);
  engines.set(language, engine);
  return engine(body);
}

/** Besides the filters of every template: days, lists and numbers as they are written in the language. */
function createEngine(language: Language) {
  const locale = language === 'en' ? 'en-GB' : language;
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  const numbers = new Intl.NumberFormat(locale, { numberingSystem: 'latn', maximumFractionDigits: 2 });
  const filters = {
    date: (value: unknown) => (isDay(value) ? longDate(value, language) : value),
    list: (value: unknown) => (Array.isArray(value) ? lists.format(value.map(nameOf)) : value),
    number: (value: unknown) => (typeof value === 'number' ? numbers.format(value) : value),
  };
  const embed = (words: string) => embedded(words, language);
  return createTemplateEngine({ embed, fixed: (text) => fixedText(text, language), filters }, placeholders);
}

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

/** An item by its name, a red flag by its text. */
const nameOf = ({ name, text }: { name?: string; text?: string }) => name ?? text ?? '';

/** The names of a template that have no value in these data, also in an item of a list; an empty list is one. */
export function missingNames({ names }: TextTemplate, data: AnswerData): string[] {
  return names.filter((name) => isMissing(data, name.split('.')));
}

function isMissing(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return value === null || (Array.isArray(value) && value.length === 0);
  const member = (value as Readonly<Record<string, unknown>>)[key.replace('[]', '')];
  if (!key.endsWith('[]')) return isMissing(member, rest);
  return (member as unknown[]).some((item) => isMissing(item, rest));
}
