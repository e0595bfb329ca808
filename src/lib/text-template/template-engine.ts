import { Context, type Emitter, Liquid, LiquidError, type Template, type Token, toValueSync } from 'liquidjs';
import { checkNames, type Names, positionOf } from './check-names.ts';
import { TemplateError } from './template-error.ts';

/** How a language puts a text together. */
export interface Dialect {
  /** A value for its place in the text. */
  embed(words: string): string;
  /** What the template itself says between its places. */
  fixed(text: string): string;
  /** Besides the few that every template has. What they make is embedded like any other value. */
  filters: Readonly<Record<string, (value: unknown) => unknown>>;
}

export interface TextTemplate {
  /** The names that it uses, in the order of the alphabet. */
  names: string[];
  /**
   * @param data has every name that there is: null where there is no value.
   * @throws {TemplateError} when it takes too long or makes too much.
   */
  render(data: object): string;
}

const keptTags = new Set(['if', 'unless', 'case', 'for', 'comment', 'raw']);
const arithmetic = ['plus', 'minus', 'times', 'divided_by', 'round'];
/** Arithmetic and a substitute: none of them reads anything, and none makes text longer than its argument. */
const keptFilters = new Set(['default', ...arithmetic]);

const renderLimitMs = 200;

/** Characters of a rendered text. */
export const maxTextLength = 40_000;

/**
 * Reads templates of one language in which people may write anything: they see nothing but the names of `root`, call nothing
 * but what is listed here, and end within 200 ms. Rendering occupies the thread meanwhile.
 */
export function createTemplateEngine(
  dialect: Dialect,
  root: { readonly [name: string]: Names },
): (body: string) => TextTemplate {
  const liquid = new Liquid({
    strictVariables: true,
    strictFilters: true,
    ownPropertyOnly: true,
    parseLimit: 20_000,
    renderLimit: renderLimitMs,
    memoryLimit: 1_000_000,
    // There are no files: nothing here reads any.
    templates: {},
    locale: 'en',
    outputEscape: ((value: unknown) => new Embedded(dialect.embed(wordsOf(value)))) as never,
  });
  for (const name of Object.keys(liquid.tags)) if (!keptTags.has(name)) delete liquid.tags[name];
  for (const name of Object.keys(liquid.filters)) if (!keptFilters.has(name)) liquid.unregisterFilter(name);
  for (const name of arithmetic) {
    const compute = liquid.filters[name] as (...numbers: unknown[]) => number;
    liquid.registerFilter(name, (...numbers: unknown[]) => resultOf(compute, numbers));
  }
  for (const [name, filter] of Object.entries(dialect.filters)) {
    liquid.registerFilter(name, (value: unknown) => filter(value));
  }
  return (body) => {
    const templates = guarded(() => liquid.parse(body));
    const names = guarded(() => checkNames(templates, root));
    return { names, render: (data) => guarded(() => render(liquid, templates, data, dialect)) };
  };
}

/**
 * No value where a number is missing, which the engine would take for 0, and where the result is no number, as of a division by 0:
 * a text must not state what was not stated.
 */
function resultOf(compute: (...numbers: unknown[]) => number, numbers: readonly unknown[]): number | null {
  if (numbers.some((each) => each === null || each === undefined)) return null;
  const result = compute(...numbers);
  return Number.isFinite(result) ? result : null;
}

/** A value that is ready for its place. */
class Embedded {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const wordsOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';

/** The engine measures by the clock: where the process stood still meanwhile, it says nothing about the template. */
function render(liquid: Liquid, templates: Template[], data: object, dialect: Dialect): string {
  for (let attempt = 1; ; attempt += 1) {
    const before = process.threadCpuUsage();
    try {
      return renderOnce(liquid, templates, data, dialect);
    } catch (error) {
      const { user, system } = process.threadCpuUsage(before);
      const stoodStill = (user + system) / 1000 < renderLimitMs / 2;
      if (attempt === 2 || !stoodStill || !tookTooLong(error)) throw error;
    }
  }
}

const tookTooLong = (error: unknown) =>
  error instanceof Error && error.message.startsWith('template render limit');

function renderOnce(liquid: Liquid, templates: Template[], data: object, dialect: Dialect): string {
  const emitter = new BoundedEmitter(dialect);
  const context = new Context(data, liquid.options, { sync: true }, { liquid });
  toValueSync(liquid.renderer.renderTemplates(templates, context, emitter));
  return emitter.buffer;
}

class BoundedEmitter implements Emitter {
  buffer = '';
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  write(value: unknown): void {
    const text = value instanceof Embedded ? value.text : this.#dialect.fixed(wordsOf(value));
    if (this.buffer.length + text.length > maxTextLength) throw new Error('text limit exceeded');
    this.buffer += text;
  }
}

/** Runs a step of the engine; whatever it throws becomes a {@link TemplateError}. */
function guarded<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    throw new TemplateError('invalid', [{ ...placeOf(error), message: explain(error) }], error);
  }
}

function placeOf(error: unknown) {
  const token = LiquidError.is(error) ? (error as { token?: Token }).token : undefined;
  return token === undefined ? { line: 1, column: 1 } : positionOf(token);
}

const explanations: [pattern: RegExp, explanation: (name: string) => string][] = [
  [/^tag "(.{1,40})" not found/, (name) => `There is no tag ${name}.`],
  [/undefined filter: (\w{1,40})/, (name) => `There is no filter ${name}.`],
  [/not closed/, () => 'What begins here is not closed.'],
  [/^parse length limit/, () => 'The template has more than 20,000 characters.'],
  [/^template render limit/, () => 'Rendering takes more than 200 ms.'],
  [/^memory alloc limit/, () => 'Rendering needs more than 1 MB.'],
  [/^text limit/, () => `The text has more than ${maxTextLength} characters.`],
  [/call stack/, () => 'Tags are nested too deep.'],
];

/** In words of ours: those of the engine quote the template and name its internals. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  for (const [pattern, explanation] of explanations) {
    const match = pattern.exec(message);
    if (match !== null) return explanation(match[1] ?? '');
  }
  return 'The syntax is not understood.';
}
