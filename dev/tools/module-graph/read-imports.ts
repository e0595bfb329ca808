// What our modules import, for the tests of the architecture and the graph in docs/development.md.
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, posix, sep } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** `target` is a path from the project's root, the name of a package, or `node:…`. */
export interface Import {
  file: string;
  target: string;
}

/** The text of every module of ours by its path from the project's root, with `/` between its parts. */
export function readSources(): ReadonlyMap<string, string> {
  const files = globSync('{src,dev,migrations,test}/**/*.{ts,tsx,mjs}', { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .filter(
      // Function apps that the tests of the host start: each could be a project of its own.
      (file) =>
        !file.includes('/node_modules/') && !file.startsWith('dev/packages/functions-host/test/apps/'),
    )
    .toSorted();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

const statement =
  /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;

/** The specifiers of all imports, of types too, re-exports, and dynamic imports with a literal argument. */
export function specifiersOf(source: string): string[] {
  return [...source.matchAll(statement)].map(([, from, bare, dynamic]) => from ?? bare ?? dynamic ?? '');
}

/** The packages of the workspace, by the file that their name stands for. */
const workspace: Readonly<Record<string, string>> = {
  'dermagate-client': 'dev/packages/client/src/index.ts',
  'dermagate-client/staff': 'dev/packages/client/src/staff.ts',
};

function targetOf(file: string, specifier: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  if (isBuiltin(specifier)) return specifier;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Every import of these sources, in their order. */
export function importsOf(sources: ReadonlyMap<string, string>): Import[] {
  return [...sources].flatMap(([file, source]) =>
    specifiersOf(source).map((specifier) => ({ file, target: targetOf(file, specifier) })),
  );
}

/** The imports of one module of ours by another. A package of the workspace counts as its entrance. */
export function importsBetween(imports: readonly Import[], sources: ReadonlyMap<string, string>): Import[] {
  return imports
    .map(({ file, target }) => ({ file, target: workspace[target] ?? target }))
    .filter(({ target }) => sources.has(target));
}

const testOfTheWorkshop =
  /^dev\/.*(?:\.test\.ts|\/test\/.*|\/(?:support|holder|data-sets|guided-patient|random-patient|scripted-gateway)\.ts)$/;

/** Whether a file is a test, or used by tests only. */
export const isTest = (file: string): boolean => file.startsWith('test/') || testOfTheWorkshop.test(file);
