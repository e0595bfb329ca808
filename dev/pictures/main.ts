// npm run pictures: draws the diagrams of the README from their sources.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderDiagram } from './render-diagram.ts';

const folder = import.meta.dirname;

for (const source of globSync('*.mmd', { cwd: folder }).toSorted()) {
  const svg = source.replace(/mmd$/, 'svg');
  writeFileSync(join(folder, svg), renderDiagram(readFileSync(join(folder, source), 'utf8')));
  console.log(`dev/pictures/${svg}`);
}
