import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Language, type Node, Parser } from 'web-tree-sitter';

/*
 * The tree-sitter grammar of Bicep: syntax only, no types, but it needs nothing except npm. It lacks the newest syntax (the
 * spread operator, for example), which our templates therefore avoid.
 */
await Parser.init();
const grammar = createRequire(import.meta.url).resolve('tree-sitter-bicep/tree-sitter-bicep.wasm');
const parser = new Parser().setLanguage(await Language.load(grammar));

export interface SyntaxTree {
  root: Node;
  /** One line for each syntax error, as `file:line:column: …`. */
  errors: string[];
}

/** Parses a template or, by its file name, a parameter file. */
export function parseBicep(file: string): SyntaxTree {
  const text = readFileSync(file, 'utf8');
  // The grammar lacks `param x = value` of parameter files; `var x = value` has the same shape and length.
  const source = file.endsWith('.bicepparam') ? text.replaceAll(/^param (?=\w+ = )/gm, 'var   ') : text;
  const tree = parser.parse(source);
  if (tree === null) throw new Error(`${file} could not be parsed.`);
  return { root: tree.rootNode, errors: [...errorsBelow(tree.rootNode, file)] };
}

function* errorsBelow(node: Node, file: string): Generator<string> {
  if (node.isError || node.isMissing) {
    const { row, column } = node.startPosition;
    const found = node.isMissing
      ? `${node.type} is missing`
      : `unexpected ${JSON.stringify(node.text.slice(0, 60))}`;
    yield `${file}:${row + 1}:${column + 1}: ${found}`;
    return;
  }
  for (const child of node.children) yield* errorsBelow(child, file);
}
