import { areaOf, compare, countArrows, folderOf } from './folder-graph.ts';
import type { Import } from './read-imports.ts';

/** From the top to the bottom. */
const floors = ['main', 'cli', 'timers', 'functions', 'domain', 'lib', 'contract'];

const floorOf = (area: string) => floors.indexOf(area.split('/')[0] ?? '');
const idOf = (area: string) => area.replaceAll(/\W/g, '_');

/** The end of an arrow: one arrow leads from the whole domain to `lib`, instead of one from every area. */
const areaInPicture = (file: string, other: string) => {
  const area = areaOf(file);
  return areaOf(other) === 'lib' && area?.startsWith('domain/') ? 'domain' : area;
};

/** The areas of `src/` as a Mermaid flowchart. Arrows to `contract` are left out: every floor has one. */
function drawAreas(imports: readonly Import[], files: readonly string[]): string {
  const areas = [...new Set(files.flatMap((file) => areaOf(file) ?? []))].toSorted(
    (a, b) => floorOf(a) - floorOf(b) || compare(a, b),
  );
  const nodeOf = (area: string) => `${idOf(area)}["${area.replace('domain/', '')}"]`;
  const arrows = countArrows(
    imports.filter(({ target }) => areaOf(target) !== 'contract'),
    areaInPicture,
  );
  return [
    '```mermaid',
    'flowchart TD',
    ...areas.filter((area) => floorOf(area) < floorOf('domain')).map((area) => `  ${nodeOf(area)}`),
    '  subgraph domain',
    ...areas.filter((area) => area.startsWith('domain/')).map((area) => `    ${nodeOf(area)}`),
    '  end',
    ...areas.filter((area) => floorOf(area) > floorOf('domain')).map((area) => `  ${nodeOf(area)}`),
    ...arrows.map(({ from, to, count }) => `  ${idOf(from)} -->|${count}| ${idOf(to)}`),
    '  lib --> contract',
    '```',
  ].join('\n');
}

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

/** The graph as Markdown: areas as a picture, folders as a table. */
export function drawModuleGraph(imports: readonly Import[], files: readonly string[]): string {
  return `${drawAreas(imports, files)}\n\n${tabulateFolders(imports, files)}`;
}
