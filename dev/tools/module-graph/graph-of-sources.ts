import { drawModuleGraph } from './draw.ts';
import { importsBetween, importsOf, isTest, readSources } from './read-imports.ts';

/** The graph of our modules as Markdown. `npm run generate` writes it into docs/development.md. */
export function graphOfSources(): string {
  const sources = new Map([...readSources()].filter(([file]) => !isTest(file)));
  return drawModuleGraph(importsBetween(importsOf(sources), sources), [...sources.keys()]);
}
