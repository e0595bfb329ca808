import { globSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Scenario } from './scenario.ts';

export interface NamedScenario extends Scenario {
  /** Of the operation. */
  name: string;
  /** From this folder, with `/` between its parts: `auth/log-in`. */
  path: string;
}

/**
 * Every scenario there is, in the order of the paths.
 * @throws when a file does not export exactly one scenario.
 */
export async function readScenarios(root = import.meta.dirname): Promise<NamedScenario[]> {
  const files = globSync('**/*.scenario.ts', { cwd: root }).map((file) => file.split(sep).join('/'));
  return await Promise.all(
    files.toSorted().map(async (file) => {
      const exported = Object.values(
        (await import(pathToFileURL(join(root, file)).href)) as Record<string, Scenario>,
      );
      const [scenario] = exported;
      if (scenario === undefined || exported.length > 1)
        throw new Error(`test/endpoints/${file} exports ${exported.length} values, not one scenario.`);
      return { ...scenario, name: scenario.endpoint.name, path: file.replace(/\.scenario\.ts$/, '') };
    }),
  );
}
