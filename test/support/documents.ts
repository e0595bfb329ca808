import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export const readDocument = (path: string) => readFileSync(join(root, path), 'utf8');

/** README.md and docs/: what their `sh` blocks say is pasted by tests, whole. */
export const mainDocuments = ['README.md', ...globSync('docs/*.md', { cwd: root }).toSorted()];

/** Every document of the project. */
export const allDocuments = [
  ...mainDocuments,
  'CHANGELOG.md',
  ...globSync('{dev,src,migrations,infra,test}/**/*.md', { cwd: root, exclude: ['**/node_modules'] }),
];

export interface Block {
  /** Heading of the chapter (`## …`) that the block stands in; empty before the first one. */
  chapter: string;
  language: string;
  text: string;
}

/** The fenced code blocks of a document, without the indent of the list that they stand in. */
export function blocksOf(path: string): Block[] {
  const [, ...chapters] = `\n## \n${readDocument(path)}`.split(/\n## /);
  return chapters.flatMap((content) => {
    const [chapter = ''] = content.split('\n', 1);
    return [...content.matchAll(/^( *)```(\w+)\n(.*?)^\1```/gms)].map(
      ([, indent = '', language = '', text = '']) => ({
        chapter,
        language,
        text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      }),
    );
  });
}

/** The anchors that GitHub gives the headings of a document. */
export function anchorsOf(path: string): string[] {
  return [...readDocument(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
