// Everything that is generated without services, in the order in which one needs the other.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '../../../src/endpoints.ts';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import { graphOfSources } from '../module-graph/graph-of-sources.ts';
import { currentDocument } from '../openapi/documented-examples.ts';
import type { Recorded } from '../openapi/examples.ts';
import { formatJson } from '../openapi/format-json.ts';
import { caseStates } from '../pictures/case-states.ts';
import { renderDiagram } from '../pictures/render-diagram.ts';
import { accessTables } from './access-table.ts';
import { docsTables, fillTables } from './docs-tables.ts';
import { keepExamples } from './keep-examples.ts';

/** A generated file, by its path from the project's root. */
export interface Output {
  file: string;
  text: string;
}

/**
 * @param examples of the operations, those that have been recorded anew among them.
 * @throws when an operation lacks one.
 */
export async function outputs(root: string, examples: readonly Recorded[]): Promise<Output[]> {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  const scenarios = await readScenarios();
  const openapi = currentDocument(endpoints, keepExamples(scenarios, examples));
  const documents = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()];
  const regions = { ...docsTables(), ...accessTables(scenarios), 'module-graph': graphOfSources() };
  const filled = fillTables(Object.fromEntries(documents.map((file) => [file, read(file)])), regions);
  const states = { file: 'dev/tools/pictures/case-states.mmd', text: caseStates() };
  const drawn = globSync('dev/tools/pictures/*.mmd', { cwd: root, exclude: [states.file] }).toSorted();
  const diagrams = [states, ...drawn.map((file) => ({ file, text: read(file) }))];
  return [
    { file: 'docs/openapi.json', text: `${formatJson(openapi)}\n` },
    ...Object.entries(filled).map(([file, text]) => ({ file, text })),
    states,
    ...diagrams.map(({ file, text }) => ({ file: file.replace(/mmd$/, 'svg'), text: renderDiagram(text) })),
  ];
}
