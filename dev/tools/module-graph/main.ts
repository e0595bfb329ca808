// node dev/tools/module-graph/main.ts [--check]: writes the graph of our modules into docs/development.md, or reports
// that the one there is stale.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawModuleGraph } from './draw.ts';
import { importsBetween, importsOf, isTest, readSources } from './read-imports.ts';

const NAME = 'docs/development.md';
const REGION = /(?<=<!-- module-graph -->\n)[\s\S]*(?=<!-- \/module-graph -->)/;

const path = join(import.meta.dirname, '..', '..', '..', NAME);
const sources = new Map([...readSources()].filter(([file]) => !isTest(file)));
const graph = drawModuleGraph(importsBetween(importsOf(sources), sources), [...sources.keys()]);

const current = readFileSync(path, 'utf8');
if (!REGION.test(current)) {
  console.error(`${NAME} has no lines <!-- module-graph --> and <!-- /module-graph --> to write between.`);
  process.exit(1);
}
const fresh = current.replace(REGION, () => `\n${graph}\n\n`);
if (fresh === current) console.log(`The module graph in ${NAME} is up to date.`);
else if (process.argv.includes('--check')) {
  console.error(
    `The module graph in ${NAME} is stale: run \`npm run generate\` or \`node dev/tools/module-graph/main.ts\`.`,
  );
  process.exit(1);
} else {
  writeFileSync(path, fresh);
  console.log(`Module graph written: ${NAME}`);
}
