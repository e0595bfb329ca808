import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { uploadLimits } from '../../../../src/domain/media/images/accept-image.ts';
import { describeInBrowser, testBrowser } from '../../../../test/support/browser.ts';
import { pair } from './scripted-gateway.ts';

const REFRESH = '/api/auth/refresh';
const UPLOAD = '/api/common/store_images';

/** What a tab does: three calls and an upload at once, with one client. Returns their statuses. */
const VISIT = `(async () => {
  const api = dermagate.createDermagate({ baseUrl: '', tokens: dermagate.inIndexedDb() });
  const photo = new File([new Uint8Array(300_000).fill(7)], 'arm.jpg', { type: 'image/jpeg' });
  const calls = [1, 2, 3].map(() => api.GET('/api/auth/me'));
  const upload = api.POST('${UPLOAD}', { body: { images: [photo] } });
  return (await Promise.all([...calls, upload])).map(({ response }) => response.status);
})()`;

describeInBrowser('in a browser', () => {
  const seen: { path: string; authorization: string | undefined; length: number; body: Buffer }[] = [];
  const to = (path: string) => seen.filter((request) => request.path === path);
  let page: string;

  /** Serves the page, refuses every token but `access-1`, and hands that out for `refresh-0`, after a while. */
  async function answer(request: IncomingMessage, response: ServerResponse) {
    const { url: path = '', headers } = request;
    const { authorization, 'content-length': length } = headers;
    seen.push({ path, authorization, length: Number(length), body: await buffer(request) });
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (path === '/') response.setHeader('content-type', 'text/html').end(page);
    else if (path === REFRESH) setTimeout(() => json(200, pair(1)), 300);
    else if (authorization === 'Bearer access-1') json(200, {});
    else json(401, { code: 'token_expired', status: 401 });
  }
  const server = createServer((request, response) => void answer(request, response));

  beforeAll(async () => {
    const client = join(import.meta.dirname, '..', 'src', 'index.ts');
    const options = { bundle: true, format: 'iife', globalName: 'dermagate', write: false } as const;
    const { outputFiles } = await build({ entryPoints: [client], ...options });
    page = `<!doctype html><link rel=icon href=data:,><script>${outputFiles[0]?.text}</script>`;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  async function newContext(): Promise<BrowserContext> {
    const context = await (await testBrowser()).newContext();
    onTestFinished(() => context.close());
    return context;
  }

  test('IndexedDB stores the pair for all tabs until it is cleared, and ignores other entries', async () => {
    const context = await newContext();
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    const { port } = server.address() as AddressInfo;
    for (const tab of tabs) await tab.goto(`http://127.0.0.1:${port}/`);
    const [here, there] = tabs;
    const stored = (key = '') => there.evaluate(`dermagate.inIndexedDb(${key}).load()`);

    expect(await stored()).toBeUndefined();
    await here.evaluate(`dermagate.inIndexedDb().save(${JSON.stringify(pair(3))})`);
    expect([await stored(), await stored(`'other'`)]).toEqual([pair(3), undefined]);
    const replace = (used: number, next: string) =>
      here.evaluate(`dermagate.inIndexedDb().replace(${JSON.stringify(pair(used))}, ${next})`);
    expect([await replace(2, JSON.stringify(pair(4))), await stored()]).toEqual([false, pair(3)]);
    expect([await replace(3, JSON.stringify(pair(4))), await stored()]).toEqual([true, pair(4)]);
    expect([await replace(4, 'undefined'), await stored()]).toEqual([true, undefined]);
    expect([await replace(4, JSON.stringify(pair(5))), await stored()]).toEqual([false, undefined]);
    await here.evaluate(`dermagate.inIndexedDb().save(${JSON.stringify(pair(5))})`);
    await here.evaluate(`dermagate.inIndexedDb().clear()`);
    expect(await stored()).toBeUndefined();
    for (const entry of [
      'null',
      '"text"',
      '[]',
      '{ access_token: "a" }',
      '{ access_token: 1, refresh_token: 2 }',
    ]) {
      await here.evaluate(`dermagate.inIndexedDb().save(${entry})`);
      expect(await stored()).toBeUndefined();
    }
  });

  test('two tabs share one refresh for all their calls, and uploads arrive complete', async () => {
    const context = await newContext();
    const tabs = await Promise.all([context.newPage(), context.newPage()]);
    const { port } = server.address() as AddressInfo;
    for (const tab of tabs) await tab.goto(`http://127.0.0.1:${port}/`);
    await tabs[0].evaluate(`dermagate.inIndexedDb().save(${JSON.stringify(pair(0))})`);

    const statuses = await Promise.all(tabs.map((tab) => tab.evaluate(VISIT)));

    expect(statuses).toEqual([Array(4).fill(200), Array(4).fill(200)]);
    expect(to(REFRESH).map(({ body }) => body.toString())).toEqual(['{"refresh_token":"refresh-0"}']);
    expect(to(UPLOAD).map(({ authorization }) => authorization)).toContain('Bearer access-0');
    for (const { length, body } of to(UPLOAD)) {
      expect(length).toBe(body.length);
      expect(body.includes(Buffer.alloc(300_000, 7))).toBe(true);
    }
  });

  test('photos too large for one form are redrawn until they fit; small ones and the order stay', async () => {
    const context = await newContext();
    const tab = await context.newPage();
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    const sizes = (await tab.evaluate(`(async () => {
      // Noise, so that the files are as large as photos get.
      const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 1500 });
      const context = canvas.getContext('2d');
      const pixels = context.createImageData(2000, 1500);
      for (let at = 0; at < pixels.data.length; at += 65_536) {
        crypto.getRandomValues(pixels.data.subarray(at, at + 65_536));
      }
      for (let at = 3; at < pixels.data.length; at += 4) pixels.data[at] = 255;
      context.putImageData(pixels, 0, 0);
      const large = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
      canvas.width = canvas.height = 10;
      const small = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
      const text = new Blob(['no picture'], { type: 'image/jpeg' });
      const files = [large, small, large, text, large, large];
      const fitted = await dermagate.fitPhotos(files);
      return fitted.map((photo, index) => photo && { bytes: photo.size, type: photo.type, same: photo === files[index] });
    })()`)) as ({ bytes: number; type: string; same: boolean } | undefined)[];
    expect(sizes).toHaveLength(6);
    expect(sizes[1]).toMatchObject({ type: 'image/png', same: true });
    expect(sizes[3]).toBeUndefined();
    const together = sizes.reduce((sum, photo) => sum + (photo?.bytes ?? 0), 0);
    expect(together).toBeLessThanOrEqual(uploadLimits.maxBytes);
    for (const index of [0, 2, 4, 5]) {
      expect(sizes[index]).toMatchObject({ type: 'image/jpeg', same: false });
      expect(sizes[index]?.bytes).toBeGreaterThan(100_000);
    }
  });
});
