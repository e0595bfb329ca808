import { areaOfDomain, floorsOfAreas, roomOfCases, roomsOfCases } from './areas.ts';
import { compare, type CountedArrow, countArrows, folderOf } from './folder-graph.ts';
import type { Import } from './read-imports.ts';

/** Mermaid's flowchart of arrows between nodes that stand in groups, the topmost group first. */
function flowchart(groups: readonly (readonly string[])[], arrows: readonly CountedArrow[]): string {
  return [
    '```mermaid',
    'flowchart TD',
    ...groups.flatMap((nodes, index) => [
      `  subgraph floor${groups.length - index}[" "]`,
      ...nodes.map((node) => `    ${node}`),
      '  end',
    ]),
    ...arrows.map(({ from, to, count }) => `  ${from} -->|${count}| ${to}`),
    '```',
  ].join('\n');
}

/** The areas of the domain on their floors, with the number of imports between them. */
const drawAreas = (imports: readonly Import[]) =>
  flowchart(floorsOfAreas.toReversed(), countArrows(imports, areaOfDomain));

/** The rooms of `cases`. */
const drawRooms = (imports: readonly Import[]) =>
  flowchart(
    roomsOfCases.toReversed().map((room) => [room]),
    countArrows(imports, roomOfCases),
  );

/** Every folder with the folders that it imports. Without counts, which would change with every import. */
function tabulateFolders(imports: readonly Import[], files: readonly string[]): string {
  const arrows = countArrows(imports, folderOf);
  const folders = [...new Set(files.flatMap((file) => folderOf(file) ?? []))].toSorted(compare);
  const rows = folders.map((folder) => {
    const targets = arrows.filter(({ from }) => from === folder).map(({ to }) => shorten(to));
    return `| \`${shorten(folder)}\` | ${targets.join(', ')} |`;
  });
  return ['| Folder | Imports |', '| --- | --- |', ...rows].join('\n');
}

const shorten = (folder: string) => (folder === 'src' ? 'src/*.ts' : folder.replace(/^src\//, ''));

/** The graph as Markdown: areas and the rooms of `cases` as pictures, folders as a table. */
export function drawModuleGraph(imports: readonly Import[], files: readonly string[]): string {
  return [
    'The areas of `src/domain/`: an area imports those on lower floors only.',
    drawAreas(imports),
    'The rooms of `cases`, the largest of them:',
    drawRooms(imports),
    'All folders:',
    tabulateFolders(imports, files),
  ].join('\n\n');
}
