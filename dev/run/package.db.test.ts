import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { packageApp, stageApp, zipStaged } from './package.ts';
import { endpoints } from '../../src/endpoints.ts';
import { me, refresh, register } from '../../test/support/accounts.ts';
import { testApp } from '../../test/support/app.ts';
import { skinPhoto } from '../../test/support/images.ts';
import { mailServer } from '../../test/support/mail-server.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const root = join(import.meta.dirname, '..', '..');
// Outside the project, so that nothing is found in its node_modules.
const { folder, zip, files } = await packageApp(tempFolder());
const content = unzipSync(readFileSync(zip));
const unpacked = tempFolder();
for (const [file, bytes] of Object.entries(content)) {
  mkdirSync(join(unpacked, dirname(file)), { recursive: true });
  writeFileSync(join(unpacked, file), bytes);
}
const mails = await mailServer();
const app = await testApp({ folder: unpacked, env: mails.settings });

const names = Object.keys(content);
const textOf = (name: string) => Buffer.from(content[name] ?? []).toString();
const codeFiles = names.filter((name) => /^dist\/[^/]+\.js$/.test(name));
/** What the first answer does not need: SDKs with more than half a megabyte. */
const heavy = ['@azure/storage-blob', '@azure/identity', '@azure/msal-node', 'nodemailer', 'undici'].map(
  (sdk) => `node_modules/${sdk}/`,
);
/** The bundler names the file above each of its modules. */
const heavyIn = (name: string) => heavy.filter((path) => textOf(name).includes(`// ${path}`));

test('the zip holds one main file, what it loads when needed, the workers, what they read, and nothing else', () => {
  expect(names).toEqual(names.toSorted());
  expect(names.filter((name) => !/^(dist\/lazy-[\w.-]+\.js|node_modules\/.*)$/.test(name))).toEqual([
    'dist/assets/openapi.json',
    'dist/assets/passwords.json',
    'dist/assets/swagger-ui-bundle.js',
    'dist/assets/swagger-ui.css',
    'dist/decode-worker.js',
    'dist/main.js',
    'dist/password-worker.js',
    'dist/worker.js',
    'host.json',
    'package.json',
  ]);
  const { dependencies, main } = JSON.parse(textOf('package.json')) as Record<string, unknown>;
  expect({ dependencies, main }).toEqual({ dependencies: undefined, main: 'dist/main.js' });
});

test('the zip is small', () => {
  // 10.5 MB in November 2026, of which 8.4 are native libraries; a second SDK that slips in is more than the rest.
  expect(statSync(zip).size).toBeLessThan(11_500_000);
  // 3.3 MB with the back office, two fifths of it our own code and texts.
  expect(content['dist/main.js']?.byteLength).toBeLessThan(3_600_000);
});

test('a cold start reads no heavy SDK and no examples: each is in a file that is imported when needed', () => {
  const reads = (name: string): string[] => [
    name,
    ...[...textOf(name).matchAll(/^(?:import|\} from)\b[^;(]*"\.\/(lazy-[^"]+)";$/gm)].flatMap(([, file]) =>
      reads(`dist/${file}`),
    ),
  ];
  expect(reads('dist/main.js').length).toBeGreaterThan(1);
  expect(reads('dist/main.js').flatMap(heavyIn)).toEqual([]);
  expect(new Set(codeFiles.flatMap(heavyIn))).toEqual(new Set(heavy));
});

describe('native code', () => {
  const native = names.filter((name) => /\.(node|so)(\.|$)/.test(name));

  test('is that of sharp for Linux on x64, with licences', () => {
    expect(native.map((name) => name.replace(/[-.]\d[\d.]*\d/, ''))).toEqual([
      'node_modules/@img/sharp-libvips-linux-x64/lib/libvips-cpp.so',
      'node_modules/@img/sharp-linux-x64/lib/sharp-linux-x64.node',
    ]);
    for (const name of native) {
      // ELF: 64 bits, little-endian; machine 62 is x86-64.
      const header = Buffer.from(content[name] ?? []);
      expect(header.subarray(0, 6).toString('latin1')).toBe('\x7fELF\x02\x01');
      expect(header.readUInt16LE(18)).toBe(62);
    }
    expect(names).toContain('node_modules/@img/sharp-linux-x64/LICENSE');
  });

  test('is loaded by the decoder process alone: no start and no other request pays for it', () => {
    const loading = codeFiles.filter((name) => /(from |import\(|require\()"sharp"/.test(textOf(name)));
    expect(loading).toEqual(['dist/decode-worker.js']);
    for (const name of codeFiles) {
      expect(textOf(name).match(/require\(["'][^"']+\.node["']\)|process\.dlopen\(/g) ?? []).toEqual([]);
    }
  });

  test('and nothing of node_modules but sharp and what it needs travels', () => {
    const packages = names.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(name)?.[1] ?? []);
    expect([...new Set(packages)]).toEqual([
      '@img/colour',
      '@img/sharp-libvips-linux-x64',
      '@img/sharp-linux-x64',
      'detect-libc',
      'semver',
      'sharp',
    ]);
  });

  test('comes from the registry where the packing machine is of another kind: the files are the same', async () => {
    const other = await stageApp(tempFolder(), tempFolder());
    expect(other.files).toEqual(files);
    const bytes = (place: string, file: string) => readFileSync(join(place, file));
    const different = files.filter(({ file }) => !bytes(other.folder, file).equals(bytes(folder, file)));
    expect(different).toEqual([]);
  });
});

test('nothing in it says where it was built', () => {
  const places = [root, dirname(folder)];
  const telling = names.filter((name) => places.some((place) => textOf(name).includes(place)));
  expect(telling).toEqual([]);
});

test('the same files give the same zip, in any time zone and whenever they were written', () => {
  // Of the small ones, which take a hundredth of the time to compress.
  const few = tempFolder();
  const small = files.filter(({ bytes }) => bytes < 20_000).map(({ file }) => file);
  expect(small.length).toBeGreaterThan(10);
  cpSync(folder, few, { recursive: true });
  for (const { file } of files.filter(({ bytes }) => bytes >= 20_000)) rmSync(join(few, file));
  const here = zipStaged(few);
  for (const file of small) utimesSync(join(few, file), 1e9, 1e9);
  const other = join(tempFolder(), 'other.zip');
  const script = `const { writeFileSync } = await import('node:fs');
    const { zipStaged } = await import(${JSON.stringify(join(root, 'dev', 'run', 'package.ts'))});
    writeFileSync(${JSON.stringify(other)}, zipStaged(${JSON.stringify(few)}));`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: root,
    env: { ...process.env, TZ: 'Pacific/Kiritimati' },
  });
  expect(readFileSync(other).equals(here)).toBe(true);
});

test('what is unpacked registers every endpoint and the function of the timers', () => {
  const expected = [...endpoints.map(({ name }) => name), 'everyMinute'];
  const found = app.host.functions.map(({ name }) => name);
  expect(found.toSorted()).toEqual([...expected, 'getMetrics', 'zz-not-found'].toSorted());
});

test('the unpacked app logs users in, refreshes once and refuses unknown callers', async () => {
  const account = await register(app);
  expect((await me(app, account.access_token)).status).toBe(200);
  expect((await refresh(app, account.refresh_token)).status).toBe(200);
  expect((await me(app, `${account.access_token}x`)).status).toBe(401);
  const denied = await app.request('/api/auth/login', {
    json: { email: account.email, password: 'not this one at all' },
  });
  expect([denied.status, denied.headers.get('content-type')]).toEqual([401, 'application/problem+json']);
});

test('what is unpacked takes a photo, cleans it, gives it back and diagnoses it', async () => {
  const { access_token: token } = await register(app);
  const photo = await skinPhoto({ format: 'jpeg' });
  const images = new FormData();
  images.set('images', new Blob([photo], { type: 'image/jpeg' }), 'skin.jpg');
  const stored = await app.request('/api/common/store_images', { body: images, token });
  expect(stored.status).toBe(201);
  const { images: list } = (await stored.json()) as { images: { url: string }[] };
  const image = await app.request(new URL(list[0]?.url ?? '', app.url).pathname, { token });
  expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const form = new FormData();
  form.set('anamnesis', readFileSync(join(root, 'dev', 'run', 'demo', 'anamnesis.json'), 'utf8'));
  form.set('image', new Blob([photo], { type: 'image/jpeg' }), 'skin.jpg');
  const diagnosis = await app.request('/api/diagnosis', { body: form, token });
  expect(diagnosis.status).toBe(200);
});

test('what is unpacked sends mails', async () => {
  const { email } = await register(app);
  expect((await app.request('/api/auth/request-reset', { json: { email } })).status).toBe(200);
  expect((await mails.arrived(1))[0]?.recipients).toEqual([email]);
});

test('what is unpacked is well, documents itself and answers what it does not know', async () => {
  expect((await app.request('/healthy')).status).toBe(200);
  expect((await app.request('/health')).status).toBe(200);
  expect(await (await app.request('/api/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
  expect((await app.request('/api/docs')).status).toBe(200);
  expect((await app.request('/api/nothing')).status).toBe(404);
  expect((await app.request('/healthy', { method: 'DELETE' })).status).toBe(405);
});
