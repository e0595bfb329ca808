import {
  CaseTag,
  CommentTag,
  ForTag,
  IfTag,
  Output,
  RawTag,
  Tag,
  type Template,
  type Token,
  TypeGuards,
  UnlessTag,
  Value,
} from 'liquidjs';
import { TemplateError, type TemplateFault } from './template-error.ts';

/** What templates may name: a value, an object of such, or in brackets what each item of a list has. */
export type Names = 'value' | { readonly [name: string]: Names } | readonly [Names];

const isList = (names: Names | undefined): names is readonly [Names] => Array.isArray(names);

interface Found {
  names: Names;
  /** As the list of placeholders has it: `treatments[].name`. Undefined for `forloop`. */
  path: string | undefined;
}
type Scope = ReadonlyMap<string, Found>;

const forloop: Found = {
  names: {
    index: 'value',
    index0: 'value',
    rindex: 'value',
    rindex0: 'value',
    first: 'value',
    last: 'value',
  },
  path: undefined,
};

/** Deeper templates are generated, not written. */
const maxDepth = 20;
/** More would not help the author. */
const maxFaults = 20;
const loopOptions = ['limit', 'offset', 'reversed'];

/**
 * The names that a parsed template uses, in the order of the alphabet. Every name in it has a value whatever the data are:
 * items of lists are reached by loops alone, and ranges, whose numbers could be anything, are refused.
 *
 * @param root what there is.
 * @throws {TemplateError}
 */
export function checkNames(
  templates: readonly Template[],
  root: { readonly [name: string]: Names },
): string[] {
  const used = new Set<string>();
  const unknown: TemplateFault[] = [];

  function resolve(token: Token, scope: Scope): Found | undefined {
    if (!TypeGuards.isPropertyAccessToken(token)) {
      if (TypeGuards.isRangeToken(token)) throw invalid(token, 'Ranges of numbers are not supported.');
      return undefined;
    }
    const keys = token.props.map((prop) =>
      TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) ? prop.content : undefined,
    );
    const [first, ...rest] = token.variable === undefined ? keys : [];
    const start =
      first === undefined ? undefined : (scope.get(first) ?? memberOf({ names: root, path: '' }, first));
    const found = rest.reduce<Found | undefined>((at, key) => at && memberOf(at, key), start);
    if (found === undefined) {
      unknown.push({ ...positionOf(token), message: `There is no placeholder ${shortened(token)}.` });
      if (unknown.length === maxFaults) throw new TemplateError('unknown_name', unknown);
    } else if (found.path !== undefined) used.add(found.path);
    return found;
  }

  function useValue(token: Token, scope: Scope): void {
    const found = resolve(token, scope);
    if (found === undefined || found.names === 'value') return;
    const advice = isList(found.names)
      ? 'a list: use for, the filter list, or .size'
      : 'a group: name a member';
    throw invalid(token, `${shortened(token)} is ${advice}.`);
  }

  function useFiltered(value: Value, scope: Scope, mayList: boolean): void {
    for (const [index, token] of value.initial.postfix.entries()) {
      const isListed = mayList && index === 0 && value.filters[0]?.name === 'list';
      if (isListed && isList(resolve(token, scope)?.names)) continue;
      useValue(token, scope);
    }
    for (const argument of value.filters.flatMap(({ args }) => args)) {
      const token = Array.isArray(argument) ? argument[1] : argument;
      if (token !== undefined) useValue(token, scope);
    }
  }

  function useLoop(tag: ForTag, scope: Scope, depth: number): void {
    const found = resolve(tag.collection, scope);
    if (found !== undefined && !isList(found.names)) throw invalid(tag.token, 'Only lists have a loop.');
    for (const [name, value] of Object.entries<Token | undefined>(tag.hash.hash)) {
      const isKnown = loopOptions.includes(name) && (value === undefined || TypeGuards.isNumberToken(value));
      if (!isKnown) throw invalid(tag.token, 'A loop has no options but limit, offset and reversed.');
    }
    const inner = new Map([...scope, ['forloop', forloop] as const]);
    if (found !== undefined && isList(found.names)) {
      inner.set(tag.variable, { names: found.names[0], path: found.path && `${found.path}[]` });
    }
    visit(tag.templates, inner, depth + 1);
    visit(tag.elseTemplates, scope, depth + 1);
  }

  function visit(nodes: readonly Template[], scope: Scope, depth: number): void {
    for (const node of nodes) {
      if (depth > maxDepth) throw invalid(node.token, `Tags are nested more than ${maxDepth} deep.`);
      if (node instanceof Output) useFiltered(node.value, scope, true);
      else if (node instanceof ForTag) useLoop(node, scope, depth);
      else if (node instanceof IfTag || node instanceof UnlessTag || node instanceof CaseTag) {
        for (const each of node.arguments()) {
          if (each instanceof Value) useFiltered(each, scope, false);
          else useValue(each, scope);
        }
        for (const { templates: inner } of node.branches) visit(inner, scope, depth + 1);
        visit(node.elseTemplates ?? [], scope, depth + 1);
      } else if (node instanceof Tag && !(node instanceof CommentTag) && !(node instanceof RawTag)) {
        throw invalid(node.token, 'The tag is not supported.');
      }
    }
  }

  visit(templates, new Map(), 0);
  if (unknown.length > 0) throw new TemplateError('unknown_name', unknown);
  return [...used].toSorted();
}

function memberOf({ names, path }: Found, key: string | undefined): Found | undefined {
  if (names === 'value' || key === undefined) return undefined;
  const at = path === undefined ? undefined : path === '' ? key : `${path}.${key}`;
  if (isList(names)) return key === 'size' ? { names: 'value', path } : undefined;
  const member = Object.hasOwn(names, key) ? (names as Readonly<Record<string, Names>>)[key] : undefined;
  return member && { names: member, path: at };
}

const invalid = (token: Token, message: string) =>
  new TemplateError('invalid', [{ ...positionOf(token), message }]);

export function positionOf(token: Token): { line: number; column: number } {
  const [line = 1, column = 1] = token.getPosition();
  return { line, column };
}

const shortened = (token: Token) => token.getText().replaceAll(/\s+/g, ' ').slice(0, 80);
