// ASP.NET Core route templates, as Azure Functions uses them, compiled to regular expressions.
// Grammar and refusals: dotnet/aspnetcore, src/Http/Routing/src/Patterns/RoutePatternParser.cs and
// RoutePatternMatcher.cs; constraints: src/Http/Routing/src/Constraints/.

export type RouteTemplate = (path: string) => Record<string, string> | undefined;

type Parameter = {
  name: string;
  catchAll: boolean;
  optional: boolean;
  fallback: string | undefined;
  constraints: ((value: string) => boolean)[];
};
type Part = string | Parameter;

/**
 * Compiles a template such as `api/users/{id:guid}/{view=short}`.
 * The result takes a decoded path with its leading slash and gives the values, or undefined when it does not
 * match. Letter case and one trailing slash do not matter. Throws when the template is not valid.
 */
export function compileTemplate(template: string): RouteTemplate {
  const segments = parse(template.replace(/^~?\//, ''));
  const parameters = segments.flat().filter((part) => typeof part !== 'string');
  const pattern = new RegExp(`^${expression(segments)}/?$`, 'is');
  return (path) => {
    const match = pattern.exec(path);
    if (!match) return undefined;
    const values: Record<string, string> = {};
    for (const [index, { name, fallback, constraints }] of parameters.entries()) {
      const value = match[index + 1] ?? fallback;
      if (value === undefined) continue;
      if (!constraints.every((holds) => holds(value))) return undefined;
      values[name] = value;
    }
    return values;
  };
}

function parse(template: string): Part[][] {
  if (template === '') return [];
  const names = new Set<string>();
  const segments = splitSegments(template).map((text, index, all) => {
    if (text === '' && index === all.length - 1) return [];
    if (text === '') throw new Error('the route has two slashes in a row');
    return parseSegment(text, names);
  });
  const flat = segments.flat();
  const early = flat.findIndex((part) => typeof part !== 'string' && part.catchAll);
  if (early !== -1 && early !== flat.length - 1)
    throw new Error('a catch-all must be the last part of the route');
  return segments.filter((parts) => parts.length > 0);
}

/** Splits at slashes outside braces: a constraint such as `regex(a/b)` keeps its slash. */
function splitSegments(template: string): string[] {
  const segments = [''];
  let depth = 0;
  for (const character of template) {
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if (character === '/' && depth === 0) segments.push('');
    else segments[segments.length - 1] += character;
  }
  return segments;
}

function parseSegment(text: string, names: Set<string>): Part[] {
  const parts: Part[] = [];
  const token = /\{((?:[^{}]|\{\{|\}\})+)\}(?!\})|((?:[^{}]|\{\{|\}\})+)/y;
  while (token.lastIndex < text.length) {
    const found = token.exec(text);
    if (!found) throw new Error(`the braces of "${text}" do not match`);
    if (found[2] !== undefined) {
      const literal = unescapeBraces(found[2]);
      if (literal.includes('?')) throw new Error(`"${literal}" contains "?"`);
      parts.push(literal);
    } else {
      const parameter = parseParameter(unescapeBraces(found[1]!));
      const key = parameter.name.toLowerCase();
      if (names.has(key)) throw new Error(`the parameter "${parameter.name}" appears twice`);
      names.add(key);
      if (typeof parts.at(-1) === 'object') throw new Error(`"${text}" has two parameters in a row`);
      parts.push(parameter);
    }
  }
  return checkedSegment(text, parts);
}

function checkedSegment(text: string, parts: Part[]): Part[] {
  if (parts.length === 1) return parts;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    if (part.catchAll) throw new Error(`"${text}" mixes a catch-all with other parts`);
    if (part.optional && (index < parts.length - 1 || parts[index - 1] !== '.')) {
      throw new Error(`"${text}": an optional parameter must be a whole segment or follow a "."`);
    }
  }
  return parts;
}

function unescapeBraces(text: string): string {
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}

function parseParameter(text: string): Parameter {
  const stars = /^\*{0,2}/.exec(text)![0].length;
  const rest = text.slice(stars);
  const name = /^[^:=?]*/.exec(rest)![0];
  if (name === '' || /[/{}*]/.test(name)) throw new Error(`"{${text}}" has no valid parameter name`);
  let tail = rest.slice(name.length);
  const constraints: Parameter['constraints'] = [];
  while (tail.startsWith(':')) {
    // A constraint's argument may hold any character, also ":" and "=": it ends at the last ")" before one.
    const found = /^:([a-z]+)(?:\((.*?)\)(?=[:=?]|$))?/is.exec(tail);
    if (!found) throw new Error(`"{${text}}" has a constraint that cannot be read`);
    constraints.push(constraint(found[1]!, found[2]));
    tail = tail.slice(found[0].length);
  }
  const optional = tail.endsWith('?');
  if (optional) tail = tail.slice(0, -1);
  if (tail !== '' && !tail.startsWith('=')) throw new Error(`"{${text}}" cannot be read`);
  const fallback = tail === '' ? undefined : tail.slice(1);
  if (optional && stars > 0) throw new Error(`"{${text}}": a catch-all cannot be optional`);
  if (optional && fallback !== undefined)
    throw new Error(`"{${text}}": optional and a default exclude each other`);
  return { name, catchAll: stars > 0, optional, fallback, constraints };
}

/** Trailing parameters with a default, or optional, may be absent; so may a catch-all's whole value. */
function expression(segments: Part[][]): string {
  const [segment, ...rest] = segments;
  if (!segment) return '';
  const [only] = segment;
  const tail = expression(rest);
  if (segment.length === 1 && typeof only === 'object') {
    if (only.catchAll) return '(?:/([^/].*?))?';
    const mayBeAbsent = only.optional || only.fallback !== undefined;
    const restMayBeAbsent = rest.every(
      ([part]) => typeof part === 'object' && (part.catchAll || part.optional || part.fallback !== undefined),
    );
    return mayBeAbsent && restMayBeAbsent ? `(?:/([^/]+)${tail})?` : `/([^/]+)${tail}`;
  }
  return `/${segment.map(partExpression).join('')}${tail}`;
}

function partExpression(part: Part, index: number, parts: Part[]): string {
  if (typeof part === 'object') return part.optional ? '' : '([^/]+)';
  const next = parts[index + 1];
  const literal = part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return typeof next === 'object' && next.optional ? `(?:${literal}([^/]+))?` : literal;
}

const INTEGER = /^\s*[+-]?\d+\s*$/;
const FLOAT = /^\s*[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;
const GUID =
  /^\s*(?:[\da-f]{32}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\{[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\}|\([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\))\s*$/i;

function between(value: string, low: bigint, high: bigint): boolean {
  return (
    INTEGER.test(value) &&
    BigInt(value.trim().replace('+', '')) >= low &&
    BigInt(value.trim().replace('+', '')) <= high
  );
}

const LONG_MAX = 2n ** 63n - 1n;
const LONG_MIN = -(2n ** 63n);

function constraint(name: string, argument: string | undefined): (value: string) => boolean {
  const numbers = argument === undefined ? [] : argument.split(',').map((part) => part.trim());
  const count = numbers.every((part) => /^-?\d+$/.test(part)) ? numbers.length : -1;
  const [first = 0n, second = first] = count > 0 ? numbers.map(BigInt) : [];
  switch (`${name.toLowerCase()}/${argument === undefined ? 0 : count}`) {
    case 'int/0':
      return (value) => between(value, -(2n ** 31n), 2n ** 31n - 1n);
    case 'long/0':
      return (value) => between(value, LONG_MIN, LONG_MAX);
    case 'min/1':
      return (value) => between(value, first, LONG_MAX);
    case 'max/1':
      return (value) => between(value, LONG_MIN, first);
    case 'range/2':
      return (value) => between(value, first, second);
    case 'length/1':
    case 'length/2':
      return (value) => value.length >= first && value.length <= second;
    case 'minlength/1':
      return (value) => value.length >= first;
    case 'maxlength/1':
      return (value) => value.length <= first;
    case 'guid/0':
      return (value) => GUID.test(value);
    case 'bool/0':
      return (value) => /^\s*(?:true|false)\s*$/i.test(value);
    case 'alpha/0':
      return (value) => /^[a-z]*$/i.test(value);
    case 'decimal/0':
    case 'double/0':
    case 'float/0':
      return (value) => FLOAT.test(value);
    case 'datetime/0':
      return (value) => /\d/.test(value) && !Number.isNaN(Date.parse(value));
    case 'required/0':
      return (value) => value !== '';
  }
  if (name.toLowerCase() === 'regex' && argument !== undefined) {
    const pattern = new RegExp(argument, 'i');
    return (value) => pattern.test(value);
  }
  throw new Error(`the constraint "${name}${argument === undefined ? '' : `(${argument})`}" does not exist`);
}
