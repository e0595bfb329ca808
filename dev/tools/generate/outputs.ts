// Everything that is generated without services, in the order in which one needs the other.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import { schemaOf } from '../../packages/client/generate.ts';
import { graphOfSources } from '../module-graph/graph-of-sources.ts';
import { currentDocument } from '../openapi/read-recorded.ts';
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
  const diagrams = globSync('dev/tools/pictures/*.mmd', { cwd: root }).toSorted();
  return [
    { file: 'docs/openapi.json', text: openapi },
    { file: 'dev/packages/client/src/schema.ts', text: await schemaOf(openapi) },
    ...Object.entries(filled).map(([file, text]) => ({ file, text })),
    ...Object.entries(httpFiles(await readScenarios())).map(([file, text]) => ({
      file: `test/http/${file}`,
      text,
    })),
    ...diagrams.map((file) => ({ file: file.replace(/mmd$/, 'svg'), text: renderDiagram(read(file)) })),
  ];
}
