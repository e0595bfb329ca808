// Everything that is generated without services, in the order in which one needs the other.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import { schemaOf } from '../../packages/client/generate.ts';
import { graphOfSources } from '../module-graph/graph-of-sources.ts';
import { currentDocument } from '../openapi/read-recorded.ts';
import { caseStates } from '../pictures/case-states.ts';
import { renderDiagram } from '../pictures/render-diagram.ts';
import { docsTables, fillTables } from './docs-tables.ts';
import { httpFiles } from './http-files.ts';

/** A generated file, by its path from the project's root. */
export interface Output {
  file: string;
  text: string;
}

export async function outputs(root: string): Promise<Output[]> {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const openapi = `${JSON.stringify(currentDocument(), null, 2)}\n`;
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()];
  const regions = { ...docsTables(), 'module-graph': graphOfSources() };
  const filled = fillTables(Object.fromEntries(documents.map((file) => [file, read(file)])), regions);
  const states = { file: 'dev/tools/pictures/case-states.mmd', text: caseStates() };
  const drawn = globSync('dev/tools/pictures/*.mmd', { cwd: root, exclude: [states.file] }).toSorted();
  const diagrams = [states, ...drawn.map((file) => ({ file, text: read(file) }))];
  return [
    { file: 'docs/openapi.json', text: openapi },
    { file: 'dev/packages/client/src/schema.ts', text: await schemaOf(openapi) },
    ...Object.entries(filled).map(([file, text]) => ({ file, text })),
    ...Object.entries(httpFiles(await readScenarios())).map(([file, text]) => ({
      file: `test/http/${file}`,
      text,
    })),
    states,
    ...diagrams.map(({ file, text }) => ({ file: file.replace(/mmd$/, 'svg'), text: renderDiagram(text) })),
  ];
}
