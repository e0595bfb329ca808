import { expect, test } from 'vitest';
import { drawModuleGraph } from './draw.ts';
import { importsBetween, importsOf } from './read-imports.ts';

const sources = new Map([
  ['src/contract/role.ts', ''],
  ['src/domain/identity/users/user.ts', `import '../../../contract/role.ts';\nimport '../../../lib/db.ts';`],
  ['src/domain/media/images/a.ts', `import '../../identity/users/user.ts';`],
  ['src/domain/media/images/b.ts', `import type { U } from '../../identity/users/user.ts';`],
  ['src/lib/db.ts', `import pg from 'pg';`],
  ['dev/tools/x/main.ts', `import '../../../src/domain/media/images/a.ts';`],
]);
const files = [...sources.keys()];
const draw = (order: typeof sources) => drawModuleGraph(importsBetween(importsOf(order), order), files);

test('the graph counts imports between areas, and lists the folders that a folder imports', () => {
  const graph = draw(sources);
  expect(graph).toContain('    cases\n');
  expect(graph).toContain('  media -->|2| identity\n');
  expect(graph).not.toContain('pg');
  expect(graph).toContain('| `domain/identity/users` | contract, lib |\n');
  expect(graph).toContain('| `dev/tools/x` | domain/media/images |\n');
});

test('the graph does not depend on the order in which files are read', () => {
  expect(draw(new Map([...sources].toReversed()))).toBe(draw(sources));
});
