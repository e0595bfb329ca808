// ASP.NET Core route templates, as Azure Functions uses them, compiled to regular expressions. Grammar and
// refusals: dotnet/aspnetcore, src/Http/Routing/src/Patterns/ (RoutePatternParser.cs, RoutePatternMatcher.cs).
import { createConstraint } from './route-constraints.ts';
import type { Constraint } from './route-constraints.ts';

/** Takes a decoded path with its leading slash; returns the route values, or undefined without a match. */
export type RouteTemplate = (path: string) => Record<string, string> | undefined;

type Parameter = {
  name: string;
  catchAll: boolean;
  optional: boolean;
  fallback: string | undefined;
  constraints: Constraint[];
};
type Part = string | Parameter;

/**
 * Compiles a template such as `api/users/{id:guid}/{view=short}`. The match ignores letter case and
 * one trailing slash. Throws when the template is not valid.
 */
export function compileTemplate(template: string): RouteTemplate {
  const segments = parse(template.replace(/^~?\//, ''));
  const parameters = segments.flat().filter((part) => typeof part === 'object');
  const pattern = new RegExp(`^${expression(segments)}/?$`, 'is');
  return (path) => {
    const match = pattern.exec(path);
    if (!match) return undefined;
    const values: Record<string, string> = {};
    for (const [index, { name, optional, fallback, constraints }] of parameters.entries()) {
      const value = match[index + 1] ?? fallback;
      if (value !== undefined) values[name] = value;
      else if (optional || constraints.length === 0) continue;
      if (!constraints.every((holds) => value !== undefined && holds(value))) return undefined;
    }
    return values;
  };
}

const TOKEN = /(?<slash>\/)|\{(?<parameter>(?:[^{}]|\{\{|\}\})+)\}(?!\})|(?<literal>(?:[^{}/]|\{\{|\}\})+)/y;

function parse(template: string): Part[][] {
  const segments: Part[][] = [[]];
  const names = new Set<string>();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < template.length) {
    const { slash, parameter, literal } = TOKEN.exec(template)?.groups ?? {};
    const segment = segments.at(-1)!;
    if (slash !== undefined) {
      if (segment.length === 0) throw new Error('two slashes in a row');
      segments.push([]);
    } else if (parameter !== undefined) {
      segment.push(parseParameter(unescapeBraces(parameter), names));
    } else if (literal !== undefined) {
      if (literal.includes('?')) throw new Error(`"${literal}" contains "?"`);
      segment.push(unescapeBraces(literal));
    } else {
      throw new Error('its braces do not match');
    }
  }
  if (segments.at(-1)!.length === 0) segments.pop();
  for (const [index, segment] of segments.entries()) checkSegment(segment, index === segments.length - 1);
  return segments;
}

function unescapeBraces(text: string): string {
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}

function parseParameter(text: string, names: Set<string>): Parameter {
  const {
    stars = '',
    name = '',
    rest = '',
  } = /^(?<stars>\*{0,2})(?<name>[^:=?]*)(?<rest>.*)$/s.exec(text)!.groups!;
  if (name === '' || /[/{}*]/.test(name)) throw new Error(`"{${text}}" has no valid name`);
  if (names.has(name.toLowerCase())) throw new Error(`the parameter "${name}" appears twice`);
  names.add(name.toLowerCase());

  let tail = rest;
  const constraints: Constraint[] = [];
  while (tail.startsWith(':')) {
    // An argument may contain any character, even ":" and "=": it ends at a ")" before one of these, "?" or the end.
    const found = /^:([a-z]+)(?:\((.*?)\)(?=[:=?]|$))?/is.exec(tail);
    if (!found) throw new Error(`"{${text}}" has a constraint that cannot be read`);
    constraints.push(createConstraint(found[1]!, found[2]));
    tail = tail.slice(found[0].length);
  }
  const optional = tail.endsWith('?');
  if (optional) tail = tail.slice(0, -1);
  if (tail !== '' && !tail.startsWith('=')) throw new Error(`"{${text}}" cannot be read`);
  const fallback = tail === '' ? undefined : tail.slice(1);
  if (optional && stars !== '') throw new Error(`"{${text}}": a catch-all cannot be optional`);
  if (optional && fallback !== undefined)
    throw new Error(`"{${text}}": an optional parameter has no default`);
  return { name, catchAll: stars !== '', optional, fallback, constraints };
}

function checkSegment(parts: Part[], isLast: boolean): void {
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue;
    const previous = parts[index - 1];
    if (part.catchAll && !isLast) throw new Error('a catch-all must be the last part');
    if (part.catchAll && parts.length > 1) throw new Error('a catch-all must be a segment of its own');
    if (typeof previous === 'object') throw new Error('two parameters in a row');
    if (part.optional && parts.length > 1 && (index < parts.length - 1 || previous !== '.')) {
      throw new Error(`"{${part.name}?}" must be a segment of its own, or the end of one, after a "."`);
    }
  }
}

/** Parameters at the end that are optional or have a default may be missing, and so may a catch-all's value. */
function expression([segment, ...rest]: Part[][]): string {
  if (!segment) return '';
  if (!canBeMissing(segment)) return `/${segment.map(partExpression).join('')}${expression(rest)}`;
  if ((segment[0] as Parameter).catchAll) return '(?:/([^/].*))?';
  return rest.every(canBeMissing) ? `(?:/([^/]+)${expression(rest)})?` : `/([^/]+)${expression(rest)}`;
}

function canBeMissing(segment: Part[]): boolean {
  const [only] = segment;
  if (segment.length > 1 || typeof only !== 'object') return false;
  return only.catchAll || only.optional || only.fallback !== undefined;
}

/** Within a segment the right-most match of each literal counts, hence greedy groups. */
function partExpression(part: Part, index: number, parts: Part[]): string {
  const optionalAt = parts.findIndex((each) => typeof each === 'object' && each.optional);
  if (optionalAt === -1) return typeof part === 'string' ? escape(part) : '([^/]+)';
  // `{name}.{extension?}`: the extension follows the last dot, and a trailing dot matches nothing.
  if (index === optionalAt - 1) return String.raw`(?:\.([^/.]+)|(?<!\.))`;
  if (index === optionalAt) return '';
  return typeof part === 'string' ? escape(part) : '([^/]+?)';
}

function escape(literal: string): string {
  return literal.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
