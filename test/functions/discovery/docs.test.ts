import { expect, test } from 'vitest';
import { testApp } from '../../support/app.ts';

const app = await testApp();

/** The addresses that the page makes a browser load. */
async function loadedByPage(): Promise<string[]> {
  const page = await (await app.request('/api/docs')).text();
  return [...page.matchAll(/(?:src|href)="([^"]+)"/g)]
    .map(([, address]) => address ?? '')
    .filter((address) => !address.startsWith('data:'));
}

test('the docs page works offline: all that it loads comes from here', async () => {
  const addresses = await loadedByPage();
  expect(addresses).toHaveLength(3);
  for (const address of addresses) {
    expect(address).toMatch(/^\/api\/docs\/[\w.-]+$/);
    const response = await app.request(address);
    expect(response.status).toBe(200);
    // A browser obeys nosniff: with another type the script would not run.
    const type = address.endsWith('.css') ? 'text/css' : 'text/javascript';
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});

test('the docs page runs scripts of this host only, and no page may frame it', async () => {
  const response = await app.request('/api/docs');
  const policy = new Map(
    (response.headers.get('content-security-policy') ?? '')
      .split(';')
      .map((directive) => directive.trim().split(/ (.*)/s, 2) as [string, string]),
  );
  expect(policy.get('default-src')).toBe("'none'");
  expect(policy.get('script-src')).toBe("'self'");
  expect(policy.get('connect-src')).toBe("'self'");
  // A photo from the API is shown from a blob: address.
  expect(policy.get('img-src')).toBe("'self' data: blob:");
  expect(policy.get('frame-ancestors')).toBe("'none'");
  expect(await response.text()).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=/);
});

test('a browser asks again after a deployment, and loads a file only when it changed', async () => {
  for (const address of await loadedByPage()) {
    const head = await app.request(address, { method: 'HEAD' });
    const etag = head.headers.get('etag') ?? '';
    expect(head.status).toBe(200);
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(head.headers.get('cache-control')).toBe('public, no-cache');
    expect(await head.text()).toBe('');

    const unchanged = await app.request(address, { headers: { 'if-none-match': `"other", W/${etag}` } });
    expect(unchanged.status).toBe(304);
    expect(await unchanged.text()).toBe('');
    expect(unchanged.headers.get('etag')).toBe(etag);

    const changed = await app.request(address, { headers: { 'if-none-match': '"other"' } });
    expect(changed.status).toBe(200);
    await changed.arrayBuffer();
  }
});

test('a file that is not part of the page is a 404', async () => {
  for (const name of ['start.mjs', 'swagger-ui-bundle.js.map', '..%2fpackage.json', 'constructor']) {
    const response = await app.request(`/api/docs/${name}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  }
});
