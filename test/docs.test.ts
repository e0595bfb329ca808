import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = [
  'README.md',
  'CHANGELOG.md',
  ...globSync('{docs,dev,src,migrations,infra,test}/**/*.md', { cwd: root, exclude: ['**/node_modules'] }),
];

test('links in documents lead to files that exist', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(join(root, dirname(document), target)))
      .map((target) => `${document}: ${target}`),
  );
  expect(broken).toEqual([]);
});

test('links inside the README lead to its headings', () => {
  const readme = read('README.md');
  const headings = [...readme.matchAll(/^#+ (.+)$/gm)].map(([, text = '']) =>
    text.toLowerCase().replaceAll(' ', '-'),
  );
  const targets = [...readme.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
  expect(targets.length).toBeGreaterThan(5);
  expect(headings).toEqual(expect.arrayContaining(targets));
});

test('documents name only commands that package.json has', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(/npm run ([\w:-]+)/g)].map(([, script = '']) => script),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

test('paths of ours that the README names exist', () => {
  // The endpoint that its recipe adds.
  const readme = read('README.md').replace(/^## Add an endpoint[\s\S]*?(?=^## )/m, '');
  const paths = [...readme.matchAll(/`((?:src|dev|test|migrations)\/[\w./-]*)`/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every picture is shown in the README, with words for those who cannot see it', () => {
  const shown = new Map(
    [...read('README.md').matchAll(/!\[([^\]]*)\]\(([^)]+)\)|<img src="([^"]+)"[^>]* alt="([^"]+)"/g)].map(
      ([, alt = '', source = '', htmlSource = '', htmlAlt = '']) => [source || htmlSource, alt || htmlAlt],
    ),
  );
  const pictures = globSync('dev/tools/pictures/*.{svg,png,jpg,webp}', { cwd: root });
  expect([...shown.keys()].toSorted()).toEqual(pictures.toSorted());
  for (const [source, words] of shown) expect(words.length, source).toBeGreaterThan(40);
});

test('dev/README.md has every folder of dev', () => {
  const folders = globSync('dev/*/', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name);
  expect(folders.length).toBeGreaterThan(3);
  expect(folders.filter((name) => !read('dev/README.md').includes(`| \`${name}/\` |`))).toEqual([]);
});

test('package.json has the one version number: workspaces, lock file and OpenAPI document follow it', () => {
  interface Package {
    version: string;
    dependencies?: Record<string, string>;
    workspaces?: string[];
  }
  const json = (file: string) => JSON.parse(read(file)) as Package;
  const { version, workspaces = [] } = json('package.json');
  const lock = JSON.parse(read('package-lock.json')) as Package & { packages: Record<string, Package> };
  const { info } = JSON.parse(read('docs/openapi.json')) as { info: Package };
  const found = {
    'package-lock.json': lock.version,
    'docs/openapi.json': info.version,
    ...Object.fromEntries(
      ['', ...workspaces].flatMap((folder) => [
        [`${folder}/package.json`, json(join(folder, 'package.json')).version],
        [`${folder} in package-lock.json`, lock.packages[folder]?.version],
      ]),
    ),
    'client in portal': json('dev/apps/portal/package.json').dependencies?.['dermagate-client'],
  };
  expect(workspaces.length).toBeGreaterThan(1);
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, version])));
});

test('documents repeat no version number of ours', () => {
  const repeated = documents.filter((document) =>
    /dermagate[\w-]*-\d+\.\d+\.\d+|git checkout v?\d/.test(read(document)),
  );
  expect(repeated).toEqual([]);
});
