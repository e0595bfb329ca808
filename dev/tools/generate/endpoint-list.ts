import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * The text of src/endpoints.ts, from the names of the files below `src/functions/` and of what they export: an endpoint
 * that does not compile yet is listed as well.
 * @throws when a file exports no endpoint, or more than one.
 */
export function endpointList(root: string): string {
  const files = globSync('src/functions/**/*.ts', { cwd: root }).map((file) => file.split(sep).join('/'));
  const found = files
    .toSorted()
    .map((file) => ({ file: file.slice('src/'.length), name: nameIn(root, file) }));
  return [
    '// Generated from the files below src/functions/: `npm run generate`. Explicit, so that one bundled file can deploy.',
    ...found.map(({ file, name }) => `import { ${name} } from './${file}';`),
    `import type { AnyEndpoint } from './lib/http/endpoint.ts';`,
    '',
    '/** Every endpoint of the app, in the order of the paths of their files. */',
    'export const endpoints: readonly AnyEndpoint[] = [',
    ...found.map(({ name }) => `  ${name},`),
    '];',
    '',
  ].join('\n');
}

function nameIn(root: string, file: string): string {
  const text = readFileSync(join(root, file), 'utf8');
  const names = [...text.matchAll(/^export const (\w+) = endpoint\(/gm)].map(([, name = '']) => name);
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new Error(`${file} exports ${names.length} endpoints, not one.`);
  return name;
}
