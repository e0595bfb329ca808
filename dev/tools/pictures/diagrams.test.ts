import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { renderDiagram } from './render-diagram.ts';
import { problems } from '../../../src/contract/problem-list.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const names = globSync('dev/tools/pictures/*.{mmd,svg}', { cwd: root }).map((file) =>
  file.replace(/\.\w+$/, ''),
);
const diagrams = [...new Set(names)].map((name) => {
  return { name, source: read(`${name}.mmd`), svg: read(`${name}.svg`) };
});

test('there are diagrams', () => {
  expect(diagrams.length).toBeGreaterThanOrEqual(3);
});

describe.each(diagrams)('$name', ({ source, svg }) => {
  test('is drawn from its source as it stands (npm run generate)', () => {
    expect(svg).toBe(renderDiagram(source));
  });

  test('needs nothing from elsewhere, and is small', () => {
    expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', '')).not.toMatch(
      /https?:|@import|@font-face|<image|<script|url\((?!#)/,
    );
    expect(svg.length).toBeLessThan(60_000);
  });

  test('has outlines in place of letters, and says for those who cannot see it what it shows', () => {
    expect(svg).not.toMatch(/<text|font-family/);
    const [, title] = /accTitle: (.+)/.exec(source) ?? [];
    expect(svg).toContain(`<title id="title">${title}</title>`);
    const [, words = ''] = /<desc id="words">(.*?)<\/desc>/s.exec(svg) ?? [];
    expect(words.split('\n').length).toBeGreaterThan(5);
  });

  test('uses no letter that it does not draw', () => {
    const drawn = new Set([...svg.matchAll(/<path id="(\w+)"/g)].map(([, id]) => id));
    const used = new Set([...svg.matchAll(/<use href="#(\w+)"/g)].map(([, id]) => id));
    expect(used).toEqual(drawn);
  });

  test('names only codes, routes and functions that the sources have', () => {
    const sources = globSync('{src,migrations}/**/*.ts', { cwd: root }).map(read).join('\n');
    const named = [...source.matchAll(/[a-z]+(?:_[a-z]+)+/g)].map(([word]) => word);
    expect(named.filter((word) => !new RegExp(`\\b${word}\\b`).test(sources))).toEqual([]);
  });

  test('names a problem with its own status', () => {
    const statuses = Object.fromEntries(
      Object.entries(problems).map(([code, { status }]) => [code, String(status)]),
    );
    const named = [...source.matchAll(/(\d{3}) (\w+)/g)].filter(([, , code = '']) => code in statuses);
    expect(named.filter(([, status, code = '']) => statuses[code] !== status).map(([text]) => text)).toEqual(
      [],
    );
  });

  test('names only files and folders that exist', () => {
    const missing = [...source.matchAll(/(?<![\w/])(?:src|dev|functions|domain|lib|timers)\/[\w./-]*/g)]
      .map(([path]) => path)
      .filter((path) => !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)));
    expect(missing).toEqual([]);
  });
});
