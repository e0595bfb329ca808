import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { skinPhoto } from '../../../../test/support/images.ts';
import { describeInBrowser, testBrowser } from '../../../../test/support/browser.ts';
import { pair } from './scripted-gateway.ts';

const UPLOAD = '/api/common/store_images';
const PHOTO = '/api/common/images/arm';

const tokenOf = (user: string) => {
  const claims = Buffer.from(JSON.stringify({ sub: user })).toString('base64url');
  return { ...pair(1), access_token: `header.${claims}.signature`, refresh_token: `refresh-${user}` };
};

describeInBrowser('tabs of a browser', () => {
  let page: string;
  let photo: Buffer;
  /** Paths with their queries. */
  let requests: string[] = [];
  /** How an upload is answered. */
  let onUpload: (request: IncomingMessage, response: ServerResponse) => void;
  /** Whether the gateway ends every session. */
  let endsSessions = false;

  /** Serves the page; logs in the user whom `email` names; the photo is the same for all. */
  function answer(request: IncomingMessage, response: ServerResponse): void {
    const { url = '', headers } = request;
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url === '/') return void response.setHeader('content-type', 'text/html').end(page);
    requests.push(url);
    if (url === UPLOAD) return onUpload(request, response);
    if (url.startsWith(PHOTO)) {
      if (headers.authorization === undefined)
        return void json(401, { code: 'authentication_required', status: 401 });
      return void response.writeHead(200, { 'content-type': 'image/jpeg' }).end(photo);
    }
    if (url === '/api/auth/logout') return void response.writeHead(204).end();
    if (url === '/api/auth/refresh') return void json(401, { code: 'refresh_token_invalid', status: 401 });
    if (endsSessions) return void json(401, { code: 'token_expired', status: 401 });
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => json(200, tokenOf((JSON.parse(body) as { email: string }).email)));
  }
  const server = createServer((request, response) => answer(request, response));

  beforeAll(async () => {
    photo = await skinPhoto({ format: 'jpeg', width: 64, height: 48 });
    const client = join(import.meta.dirname, '..', 'src', 'index.ts');
    const options = { bundle: true, format: 'iife', globalName: 'dermagate', write: false } as const;
    const { outputFiles } = await build({ entryPoints: [client], ...options });
    // With an icon of its own, because some browsers ask for /favicon.ico otherwise.
    page = `<!doctype html><link rel=icon href=data:,><script>${outputFiles[0]?.text}
      const api = dermagate.createDermagate({ baseUrl: '', tokens: dermagate.inIndexedDb(), retry: false });
      const photos = dermagate.createPhotoUrls(api);
      const changes = [];
      api.session.onChange((change, { elsewhere }) => changes.push(elsewhere ? change + ' elsewhere' : change));
      const logIn = (email) => api.session.logIn({ email, password: 'x' });
      const shows = (url) => new Promise((resolve) => {
        const img = Object.assign(new Image(), { onload: () => resolve(img.naturalWidth), onerror: () => resolve(0) });
        img.src = url;
      });
    </script>`;
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());
  beforeEach(() => {
    requests = [];
    endsSessions = false;
  });

  /** So many tabs of one browser, which share its storage. */
  async function tabs(count: number): Promise<Page[]> {
    const context = await (await testBrowser()).newContext();
    onTestFinished(() => context.close());
    const opened: Page[] = [];
    for (let n = 0; n < count; n++) {
      const tab = await context.newPage();
      await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      opened.push(tab);
    }
    return opened;
  }

  /** The changes that a tab has seen, once there are so many. */
  const changesOf = async (tab: Page, count: number) => {
    await tab.waitForFunction(`changes.length >= ${count}`);
    return await tab.evaluate('changes');
  };

  test('learn of each other’s logins and logouts, and of the end of the session', async () => {
    const [here, there] = (await tabs(2)) as [Page, Page];
    await here.evaluate(`logIn('ana')`);
    await here.evaluate(`logIn('ana')`);
    await here.evaluate(`logIn('ben')`);
    await here.evaluate('api.session.logOut()');
    await here.evaluate(`logIn('ana')`);
    endsSessions = true;
    expect(await here.evaluate('api.session.me().catch(({ code }) => code)')).toBe('token_expired');

    const seen = ['signed-in', 'signed-in', 'other-user', 'signed-out', 'signed-in', 'ended'];
    expect(await changesOf(here, 6)).toEqual(seen);
    expect(await changesOf(there, 6)).toEqual(seen.map((change) => `${change} elsewhere`));
    expect(await there.evaluate('api.session.isSignedIn()')).toBe(false);
  });

  test('a listener that is removed hears nothing more', async () => {
    const [tab] = (await tabs(1)) as [Page];
    await tab.evaluate(
      `heard = []; remove = api.session.onChange((change) => heard.push(change)); logIn('ana')`,
    );
    await tab.evaluate('remove(); api.session.logOut()');
    expect(await tab.evaluate('[heard, changes]')).toEqual([['signed-in'], ['signed-in', 'signed-out']]);
  });

  test('a photo shows by a URL that its places share, and that ends with the last of them', async () => {
    const [tab] = (await tabs(1)) as [Page];
    await tab.evaluate(`logIn('ana')`);
    const shared = await tab.evaluate(`(async () => {
      const open = () => photos.open('${PHOTO}', { variant: 'thumbnail' });
      const left = new AbortController();
      const leaving = photos.open('${PHOTO}', { variant: 'thumbnail', signal: left.signal }).catch((reason) => reason);
      left.abort('left');
      const [a, b] = await Promise.all([open(), open()]);
      a.release();
      a.release();
      const whileOneShows = await shows(b.url);
      b.release();
      return [await leaving, a.url === b.url, whileOneShows, await shows(b.url)];
    })()`);
    expect(shared).toEqual(['left', true, 64, 0]);
    expect(requests.filter((url) => url.startsWith(PHOTO))).toEqual([`${PHOTO}?variant=thumbnail`]);
    await tab.evaluate(`photos.open('${PHOTO}')`);
    expect(requests.filter((url) => url.startsWith(PHOTO))).toHaveLength(2);
  });

  test.each([
    ['a logout here', (here: Page, _there: Page) => here.evaluate('api.session.logOut()')],
    ['a logout in another tab', (_here: Page, there: Page) => there.evaluate('api.session.logOut()')],
    ['a login as another user in another tab', (_: Page, there: Page) => there.evaluate(`logIn('ben')`)],
  ])('no photo of a user shows after %s', async (_, change) => {
    const [here, there] = (await tabs(2)) as [Page, Page];
    await here.evaluate(`logIn('ana')`);
    await here.evaluate(`photos.open('${PHOTO}').then((photo) => (shown = photo))`);
    expect(await here.evaluate('shows(shown.url)')).toBe(64);
    await change(here, there);
    await changesOf(here, 2);
    expect(await here.evaluate('shows(shown.url)')).toBe(0);
  });

  test('a photo that cannot be loaded says why, and is asked for again', async () => {
    const [tab] = (await tabs(1)) as [Page];
    const open = `photos.open('${PHOTO}').then(() => 'open', ({ code }) => code)`;
    expect(await tab.evaluate(open)).toBe('authentication_required');
    await tab.evaluate(`logIn('ana')`);
    expect(await tab.evaluate(open)).toBe('open');
  });

  /** An upload of 30 MB; what it ends in, and what it reported meanwhile. */
  const upload = (tab: Page, options: string) =>
    tab.evaluate(`(async () => {
      globalThis.seen = [];
      const photo = new Blob([new Uint8Array(30_000_000).fill(7)], { type: 'image/jpeg' });
      const onProgress = (fraction) => { seen.push(fraction); globalThis.progressed?.(); };
      const end = await api.images.upload([photo], { onProgress, ...${options} }).catch((error) => error.code ?? error);
      return { end, seen };
    })()`) as Promise<{ end: unknown; seen: number[] }>;

  test('an upload reports how much has been sent, and takes its time while it goes on', async () => {
    const [tab] = (await tabs(1)) as [Page];
    await tab.clock.install();
    let bytes = 0;
    let type: string | undefined;
    let allowed = 0;
    let resume = () => {};
    onUpload = (request, response) => {
      type = request.headers['content-type'];
      resume = () => void request.resume();
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > allowed) request.pause();
      });
      request.on('end', () =>
        response
          .writeHead(201, { 'content-type': 'application/json', 'x-kind': 'a: b' })
          .end('{"images":[{"uuid":"arm"}]}'),
      );
    };
    const uploaded = upload(tab, '{ timeout: 60_000 }');
    // A slow line. What buffers hold, some 10 MB, is sent before it is read.
    for (let reported = 0; allowed < 18_000_000;) {
      allowed += 6_000_000;
      resume();
      const count = () => tab.evaluate<number>('globalThis.seen?.length ?? 0');
      await expect.poll(count).toBeGreaterThan(reported);
      await tab.clock.fastForward(40_000);
      // Only now: a report that came just before the clock was put forward must not count as the next one.
      reported = await count();
    }
    allowed = Infinity;
    resume();
    const { end, seen } = await uploaded;
    expect(end).toEqual({ images: [{ uuid: 'arm' }] });
    expect(bytes).toBeGreaterThan(30_000_000);
    expect(type).toMatch(/^multipart\/form-data; boundary=/);
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  test('an upload that stands still is a timeout, one that is aborted rejects with the reason', async () => {
    const [tab] = (await tabs(1)) as [Page];
    onUpload = () => {};
    expect((await upload(tab, '{ timeout: 300 }')).end).toBe('timeout');
    await tab.evaluate(`leaving = new AbortController(); progressed = () => leaving.abort('left')`);
    expect((await upload(tab, '{ signal: leaving.signal }')).end).toBe('left');
  });

  test('a refused upload says why; one whose connection breaks has no reply', async () => {
    const [tab] = (await tabs(1)) as [Page];
    onUpload = (request, response) => {
      request.resume().on('end', () => {
        response.writeHead(413, { 'content-type': 'application/problem+json' });
        response.end('{"code":"payload_too_large","status":413,"title":"Too large"}');
      });
    };
    expect((await upload(tab, '{}')).end).toBe('payload_too_large');
    onUpload = (request) => request.destroy();
    expect((await upload(tab, '{}')).end).toBe('no_reply');
  });
});
