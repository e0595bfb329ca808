import { join, normalize, dirname } from 'node:path';
import type { Node } from 'web-tree-sitter';
import { parseBicep } from './parse-bicep.ts';

/** A value as written in a template: literals as values, everything else as the text of the expression. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value } | Expression;
export interface Expression {
  expression: string;
  node: Node;
}

export interface Parameter {
  name: string;
  description: string | undefined;
  secure: boolean;
  /** Type, decorators and default as written. */
  text: string;
  hasDefault: boolean;
}

export interface Resource {
  symbol: string;
  /** Such as `Microsoft.Web/sites`. */
  type: string;
  apiVersion: string;
  existing: boolean;
  /** Its properties; of a loop, those of one round. */
  body: Record<string, Value>;
}

export interface Module {
  symbol: string;
  /** Path of its file, relative to the folder of `file`. */
  file: string;
  params: Record<string, Value>;
}

export interface Output {
  name: string;
  description: string | undefined;
  text: string;
}

export interface Template {
  file: string;
  parameters: Parameter[];
  variables: Map<string, Value>;
  resources: Resource[];
  modules: Module[];
  outputs: Output[];
  /** Every name that an expression refers to, with its line. */
  references: { name: string; line: number }[];
  /** Every `module.outputs.name` in expressions. */
  outputReferences: { module: string; output: string }[];
  /** Every name that the file declares, loop variables and arguments of lambdas included. */
  declared: Set<string>;
}

/** @throws an error that names every syntax error of `file`. */
export function readBicep(file: string): Template {
  const { root, errors } = parseBicep(file);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  const template: Template = {
    file,
    parameters: [],
    variables: new Map(),
    resources: [],
    modules: [],
    outputs: [],
    references: [],
    outputReferences: [],
    declared: new Set(),
  };
  let decorators: Node[] = [];
  for (const node of root.namedChildren) {
    if (node.type === 'decorators') decorators = node.namedChildren;
    else if (node.type !== 'comment') {
      readDeclaration(template, node, decorators);
      decorators = [];
    }
  }
  readReferences(template, root);
  return template;
}

function readDeclaration(template: Template, node: Node, decorators: Node[]): void {
  const name = node.namedChildren.find((child) => child.type === 'identifier')?.text ?? '';
  const description = descriptionOf(decorators);
  const text = [...decorators, node].map((part) => part.text).join('\n');
  const value = node.namedChildren.at(-1);
  if (value === undefined) return;
  if (!['metadata_declaration', 'output_declaration'].includes(node.type)) template.declared.add(name);
  switch (node.type) {
    case 'parameter_declaration': {
      const secure = decorators.some((decorator) => decorator.text.startsWith('@secure('));
      const hasDefault = node.children.some((child) => child.type === '=');
      template.parameters.push({ name, description, secure, text, hasDefault });
      break;
    }
    case 'variable_declaration':
      template.variables.set(name, valueOf(value));
      break;
    case 'resource_declaration': {
      const [type = '', apiVersion = ''] = literal(node).split('@');
      const existing = node.children.some((child) => child.type === 'existing');
      template.resources.push({ symbol: name, type, apiVersion, existing, body: bodyOf(value) });
      break;
    }
    case 'module_declaration': {
      const { params = {} } = bodyOf(value);
      const path = normalize(join(dirname(template.file), literal(node)));
      template.modules.push({ symbol: name, file: path, params: params as Record<string, Value> });
      break;
    }
    case 'output_declaration':
      template.outputs.push({ name, description, text });
      break;
    default:
  }
}

const descriptionOf = (decorators: Node[]): string | undefined =>
  decorators
    .filter((decorator) => decorator.text.startsWith('@description('))
    .map((decorator) =>
      decorator
        .descendantsOfType('string_content')
        .map((part) => part.text)
        .join(''),
    )
    .at(0);

/** The quoted text after the symbol: a resource's type or a module's path. */
function literal(declaration: Node): string {
  const text = declaration.namedChildren.find((child) => child.type === 'string');
  return text?.namedChildren.map((part) => part.text).join('') ?? '';
}

/** The object behind `if (…)` and `[for …: …]`. */
function bodyOf(node: Node): Record<string, Value> {
  if (node.type === 'if_statement' || node.type === 'for_statement') {
    const inner = node.namedChildren.at(-1);
    return inner === undefined ? {} : bodyOf(inner);
  }
  return valueOf(node) as Record<string, Value>;
}

function valueOf(node: Node): Value {
  switch (node.type) {
    case 'string':
      if (node.namedChildren.some((part) => part.type === 'interpolation'))
        return { expression: node.text, node };
      return node.namedChildren.map((part) => part.text).join('');
    case 'number':
      return Number(node.text);
    case 'boolean':
      return node.text === 'true';
    case 'null':
      return null;
    case 'array':
      return node.namedChildren.filter((item) => item.type !== 'comment').map(valueOf);
    case 'object': {
      const properties = node.namedChildren.filter((child) => child.type === 'object_property');
      return Object.fromEntries(
        properties.map((property) => {
          const [key, ...rest] = property.namedChildren.filter((part) => part.type !== 'comment');
          const value = rest.at(-1);
          if (key === undefined || value === undefined) throw new Error(`odd property: ${property.text}`);
          return [key.text.replace(/^'(.*)'$/s, '$1'), valueOf(value)];
        }),
      );
    }
    default:
      return { expression: node.text, node };
  }
}

export function isExpression(value: Value | undefined): value is Expression {
  return typeof value === 'object' && value !== null && 'expression' in value && 'node' in value;
}

function readReferences(template: Template, root: Node): void {
  for (const node of root.descendantsOfType(['loop_variable', 'loop_enumerator']))
    template.declared.add(node.text);
  // `[for x in xs: …]` has its variable as a plain identifier, `x => …` its argument.
  for (const node of root.descendantsOfType(['for_statement', 'lambda_expression'])) {
    const first = node.namedChildren[0];
    if (first?.type === 'identifier') template.declared.add(first.text);
  }
  for (const node of root.descendantsOfType('identifier')) {
    if (isReference(node)) template.references.push({ name: node.text, line: node.startPosition.row + 1 });
  }
  for (const [, module = '', output = ''] of root.text.matchAll(/\b(\w+)(?:\[\w+\])?!?\.outputs\.(\w+)/g)) {
    template.outputReferences.push({ module, output });
  }
}

/** Not the name of a declaration, of a property or of a function. */
function isReference(node: Node): boolean {
  const parent = node.parent;
  if (parent === null || parent.type === 'metadata_declaration') return false;
  const isFirst = parent.namedChildren[0]?.id === node.id;
  if (parent.type.endsWith('_declaration')) return !isFirst;
  if (parent.type === 'object_property') return !isFirst;
  if (parent.type === 'call_expression') return !isFirst;
  if (parent.type === 'target_scope_assignment') return false;
  return true;
}
