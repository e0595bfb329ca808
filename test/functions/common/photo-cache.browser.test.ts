import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { openChromiumProfile } from '../../../dev/tools/pictures/chromium.ts';
import { register } from '../../support/accounts.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { describeInBrowser } from '../../support/browser.ts';
import { afterwards } from '../../support/cleanup.ts';
import { skinPhoto } from '../../support/images.ts';
import { type StoredImage, storePhoto } from '../../support/stored-images.ts';
import { tempFolder } from '../../support/temp-folder.ts';

// A computer that patients share keeps no copy of a photo; an app that keeps photos itself still has no need to fetch
// them twice.

/** As a page does it: with the access token, from another origin. */
const fetchPhoto = (url: string, headers: Record<string, string>) => `(async () => {
  const reply = await fetch(${JSON.stringify(url)}, { headers: ${JSON.stringify(headers)} });
  const { byteLength } = await reply.arrayBuffer();
  return { status: reply.status, etag: reply.headers.get('etag'), bytes: byteLength };
})()`;

interface Fetched {
  status: number;
  etag: string | null;
  bytes: number;
}

describeInBrowser('photos in a browser', () => {
  let app: TestApp;
  let token: string;
  let image: StoredImage;
  let photo: Buffer;
  let cacheable: Buffer;
  let origin: string;
  let userData: string;
  let profile: BrowserContext;
  let page: Page;

  beforeAll(async () => {
    [photo, cacheable] = (await Promise.all(
      [21, 22].map((seed) => skinPhoto({ width: 320, height: 240, seed, format: 'jpeg' })),
    )) as [Buffer, Buffer];
    const server = createServer((request, response) => {
      if (request.url === '/cacheable.jpg') {
        response.setHeader('cache-control', 'private, no-cache').setHeader('etag', '"1"');
        response.setHeader('content-type', 'image/jpeg').end(cacheable);
      } else {
        response.setHeader('content-type', 'text/html').end('<!doctype html><title>app</title>');
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    afterwards(async () => void server.close());
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app = await testApp({ env: { CORS_ORIGINS: origin } });
    token = (await register(app)).access_token;
    image = await storePhoto(app, token, photo);
    await openProfile();
  });

  /** In a browser with a profile on the disk, which is gone with the file. */
  async function openProfile(): Promise<void> {
    userData = tempFolder();
    profile = await openChromiumProfile(userData);
    afterwards(() => profile.close());
    page = await profile.newPage();
    await page.goto(origin);
  }
  const run = async (script: string) => await page.evaluate<Fetched>(script);

  const authorization = () => ({ authorization: `Bearer ${token}` });
  const address = (variant = 'original') => `${app.url}${image.url}?variant=${variant}`;

  test('an app that stores photos revalidates with the ETag and downloads no bytes', async () => {
    for (const variant of ['original', 'thumbnail']) {
      const first = await run(fetchPhoto(address(variant), authorization()));
      expect(first).toMatchObject({ status: 200, etag: expect.stringMatching(/^"/) as string });
      const again = { ...authorization(), 'if-none-match': first.etag ?? '' };
      expect(await run(fetchPhoto(address(variant), again))).toMatchObject({ status: 304, bytes: 0 });
    }
  });

  test('without an ETag the browser downloads the whole photo', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { status, bytes } = await run(fetchPhoto(address(), authorization()));
      expect([status, bytes]).toEqual([200, image.sizeBytes]);
    }
    const lines = app.output.filter((line) => line.includes('"function":"getImage"')).slice(-2);
    expect(lines.every((line) => line.includes('"status":200'))).toBe(true);
  });

  test('no copy of a photo is on the disk, where one of a cacheable picture is', async () => {
    for (const variant of ['original', 'thumbnail']) {
      expect((await run(fetchPhoto(address(variant), authorization()))).status).toBe(200);
    }
    expect((await run(fetchPhoto(`${origin}/cacheable.jpg`, {}))).bytes).toBe(cacheable.length);
    // Closing writes everything to the disk; no test after this one has a browser.
    await profile.close();
    const thumbnail = await app.request(`${image.url}?variant=thumbnail`, { token });
    const onDisk = globSync('**/*', { cwd: userData, exclude: (name) => name === 'SingletonSocket' })
      .map((file) => join(userData, file))
      .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
      .map((file) => readFileSync(file));
    const isStored = (picture: Buffer) =>
      onDisk.some((file) => file.includes(picture.subarray(picture.length - 400, picture.length - 200)));
    expect(isStored(cacheable)).toBe(true);
    expect(isStored(photo)).toBe(false);
    expect(isStored(Buffer.from(await thumbnail.arrayBuffer()))).toBe(false);
  });
});
