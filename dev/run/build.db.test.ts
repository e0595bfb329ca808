import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { testApp } from '../../test/support/app.ts';
import { skinPhoto } from '../../test/support/images.ts';

const root = join(import.meta.dirname, '..', '..');
const app = await testApp();

async function register(): Promise<string> {
  const account = { email: 'bundle@example.org', password: 'a long enough password', role: 'patient' };
  const response = await app.request('/api/auth/register', { json: account });
  expect(response.status).toBe(201);
  return ((await response.json()) as { access_token: string }).access_token;
}

test('the bundle serves every function that the sources serve', async () => {
  const sources = await testApp({ main: 'src/main.ts' });
  const names = (host: { functions: { name: string }[] }) =>
    host.functions.map(({ name }) => name).toSorted();
  expect(names(app.host)).toEqual(names(sources.host));
});

test('bundled code finds its workers and what they read: a password is hashed and a photo decoded', async () => {
  const token = await register();
  const form = new FormData();
  form.set('anamnesis', readFileSync(join(root, 'dev', 'run', 'demo', 'anamnesis.json'), 'utf8'));
  form.set('image', new Blob([await skinPhoto({ format: 'jpeg' })], { type: 'image/jpeg' }), 'skin.jpg');
  const response = await app.request('/api/diagnosis', { body: form, token });
  expect(await response.json()).toMatchObject({ image_validity: { isValid: true } });
  expect(response.status).toBe(200);
});

test('the docs page has its scripts without node_modules', async () => {
  const files = globSync('**/*', { cwd: join(root, dirname(inject('services').main)) });
  expect(files).toContain(join('assets', 'swagger-ui-bundle.js'));
  const page = await (await app.request('/api/docs')).text();
  const scripts = [...page.matchAll(/src="([^"]+)"/g)].map(([, src]) => src ?? '');
  expect(scripts.length).toBeGreaterThan(0);
  for (const src of scripts) {
    const response = await app.request(new URL(src, `${app.url}/api/docs`).pathname);
    expect(response.status).toBe(200);
    await response.arrayBuffer();
  }
});

/** Texts that only these packages have. */
const markers = {
  '@azure/web-pubsub': '/api/hubs/{hub}',
  '@azure/storage-blob': 'x-ms-blob-type',
  '@azure/identity': 'ManagedIdentityCredential',
};

test('SDKs that not every request needs are in chunks that a start does not load', () => {
  const folder = join(root, dirname(inject('services').main));
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
  const atStart = new Set<string>();
  const follow = (file: string): void => {
    if (atStart.has(file)) return;
    atStart.add(file);
    for (const [, name = ''] of textOf(file).matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]+\.js)";$/gm))
      follow(name);
  };
  follow('main.js');
  const lazy = globSync('lazy-*.js', { cwd: folder }).filter((file) => !atStart.has(file));
  for (const [sdk, marker] of Object.entries(markers)) {
    const has = (file: string) => textOf(file).includes(marker);
    expect([sdk, lazy.some(has), [...atStart].filter(has)]).toEqual([sdk, true, []]);
  }
});
