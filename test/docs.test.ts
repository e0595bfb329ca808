import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  allDocuments as documents,
  anchorsOf,
  blocksOf,
  mainDocuments,
  readDocument,
} from './support/documents.ts';

const root = join(import.meta.dirname, '..');
const read = readDocument;

test('links in documents lead to files that exist, and to headings that these have', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
      .filter(([, path = '', anchor]) => {
        const target = path === '' ? document : join(dirname(document), path);
        if (!existsSync(join(root, target))) return true;
        return anchor !== undefined && !anchorsOf(target).includes(anchor);
      })
      .map(([link]) => `${document}: ${link}`),
  );
  expect(broken).toEqual([]);
  expect(read('README.md').match(/\]\([^)]*#/g)?.length).toBeGreaterThan(15);
});

test('the README fits in 12 KB, and leads to every document of docs/', () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(12 * 1024);
  for (const document of mainDocuments.slice(1)) expect(read('README.md')).toContain(`](${document}`);
});

test('documents name only commands that package.json has', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((document) =>
    [...read(document).matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script = '']) => script),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

test('every dependency has a row that names its maintainer, last release and reason, and no row is left over', () => {
  const manifests = ['package.json', 'dev/packages/client/package.json', 'dev/apps/portal/package.json'];
  const dependencies = manifests.flatMap((file) => {
    const manifest = JSON.parse(read(file)) as Record<string, Record<string, string> | undefined>;
    return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
      Object.keys(manifest[kind] ?? {}),
    );
  });
  const ours = (JSON.parse(read('dev/packages/client/package.json')) as { name: string }).name;
  const [, section = ''] = read('docs/development.md').split('\n## Dependencies\n');
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  const described = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const wanted = new Set(dependencies.filter((name) => name !== ours));
  expect(described.toSorted()).toEqual([...wanted].toSorted());
  const isComplete = /^\|[^|]+\| [^|]+ \|[^|]*\b20\d\d-\d\d[^|]*\| [^|]+ \|$/;
  expect(rows.filter((row) => !isComplete.test(row))).toEqual([]);
});

test('paths of ours that the documents name exist', () => {
  const paths = mainDocuments.flatMap((document) => {
    // The recipe adds files.
    const text = read(document).replace(/^## Add an endpoint[\s\S]*?(?=^## )/m, '');
    return [...text.matchAll(/`((?:src|dev|test|migrations|infra|docs)\/[\w./-]*)`/g)].map(
      ([, path = '']) => path,
    );
  });
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test('every picture is shown in README.md or docs/, with words for those who cannot see it', () => {
  const shown = new Map(
    mainDocuments.flatMap((document) =>
      [...read(document).matchAll(/!\[([^\]]*)\]\(([^)]+)\)|<img src="([^"]+)"[^>]* alt="([^"]+)"/g)].map(
        ([, alt = '', source = '', htmlSource = '', htmlAlt = '']): [string, string] => [
          join(dirname(document), source || htmlSource),
          alt || htmlAlt,
        ],
      ),
    ),
  );
  const pictures = globSync('dev/tools/pictures/*.{svg,png,jpg,webp}', { cwd: root });
  expect([...shown.keys()].toSorted()).toEqual(pictures.toSorted());
  for (const [source, words] of shown) expect(words.length, source).toBeGreaterThan(40);
});

test('the top level holds what Azure expects, the four folders of the project and what tools insist on', () => {
  const notOurs = new Set(['node_modules', 'dist', 'local.settings.json', '.git', '.local']);
  const found = readdirSync(root).filter((name) => !notOurs.has(name));
  expect(found.toSorted()).toEqual([
    '.ci',
    '.editorconfig',
    '.funcignore',
    '.gitignore',
    '.npmrc',
    '.oxfmtrc.json',
    '.oxlintrc.json',
    'CHANGELOG.md',
    'README.md',
    'dev',
    'docs',
    'host.json',
    'infra',
    'local.settings.example.json',
    'migrations',
    'package-lock.json',
    'package.json',
    'src',
    'test',
    'tsconfig.json',
  ]);
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

const shellBlocks = documents.flatMap((document) =>
  blocksOf(document)
    .filter(({ language }) => language === 'sh' || language === 'bash')
    .map((block) => ({ ...block, document })),
);

test('commands of README.md and docs/ that a laptop can run are pasted by a test; `bash` marks those that need Azure', () => {
  const laptop = new Set(
    shellBlocks
      .filter(({ document, language }) => language === 'sh' && mainDocuments.includes(document))
      .map(({ document, chapter }) => (document === 'docs/api.md' ? document : `${document}: ${chapter}`)),
  );
  // docs.db.test.ts; "Run it" is how every test of a start begins.
  expect([...laptop].toSorted()).toEqual([
    'README.md: Run it',
    'README.md: Try it',
    'docs/api.md',
    'docs/development.md: Add an endpoint',
  ]);
  const azure = new Set(
    shellBlocks.filter(({ language }) => language === 'bash').map(({ document }) => document),
  );
  expect([...azure]).toEqual(['docs/operations.md']);
});

test('no document has people type a secret into their shell: it would stand in its history', () => {
  const secrets =
    /\b(?:AI_SERVICE_KEY|MAIL_URL|PASSWORD_PEPPER|FIELD_ENCRYPTION_KEY|SECRET_KEY|ADMIN_PASSWORD|PGPASSWORD)=(?!\$\()\S/;
  const typed = shellBlocks.filter(({ text }) => secrets.test(text));
  expect(typed.map(({ document, chapter }) => `${document}: ${chapter}`)).toEqual([]);
});

test('every role that a document has operators take for a while is given back in the same commands', () => {
  const blocks = shellBlocks.filter(({ text }) => text.includes('az role assignment create'));
  expect(blocks.length).toBeGreaterThan(1);
  for (const { text } of blocks) {
    const roles = (verb: string) =>
      [
        ...text.matchAll(new RegExp(`az role assignment ${verb} .*(--role "[^"]+" --scope \\$\\w+)`, 'g')),
      ].map(([, role = '']) => role);
    expect(roles('delete').toSorted()).toEqual(roles('create').toSorted());
  }
});

test('no command has a comment behind it: shells that read none, such as zsh, take its words for arguments', () => {
  const indented = documents.flatMap((document) =>
    (read(document).match(/^ {4}(?:npm|node|npx) .*$/gm) ?? []).map((text) => ({ document, text })),
  );
  expect(indented.length).toBeGreaterThan(5);
  const commented = [...shellBlocks, ...indented].filter(({ text }) => /\S.* # /.test(text));
  expect(commented.map(({ document, text }) => `${document}: ${text}`)).toEqual([]);
});

test('commands for operators are shell, and use options that infra/deploy.sh has', () => {
  const commands = shellBlocks.filter(({ language }) => language === 'bash');
  expect(commands.length).toBeGreaterThan(10);
  for (const { text } of commands) {
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: text.replaceAll(/<[\w ]+>/g, 'placeholder'),
      encoding: 'utf8',
    });
    expect([text, status, stderr]).toEqual([text, 0, '']);
  }
  const usage = read('infra/deploy.sh');
  const options = [
    ...read('docs/operations.md').matchAll(/infra\/deploy\.sh((?: --[\w-]+(?: [\w-]+)?)+)/g),
  ].flatMap(([, all = '']) => {
    const [ours = ''] = all.split(' --exec');
    return ours.match(/--[\w-]+/g) ?? [];
  });
  expect(options.length).toBeGreaterThan(10);
  expect(options.filter((option) => option !== '--help' && !usage.includes(`\n  ${option} `))).toEqual([]);
});
