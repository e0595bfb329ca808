import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { tempFolder } from '../../../../test/support/temp-folder.ts';
import { type BuiltSite, buildPortal, CONFIGURATION, readConnections } from '../build.ts';
import { headersOf, type SiteConfiguration } from '../site-headers.ts';

const connections = {
  gatewayUrl: 'https://gateway.example',
  liveUrl: 'https://live.example',
};

let site: BuiltSite;
let files: string[];
let configuration: SiteConfiguration;
const read = (file: string) => readFileSync(join(site.folder, file), 'utf8');

beforeAll(async () => {
  site = await buildPortal(connections, join(tempFolder(), 'portal'));
  files = readdirSync(site.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(site.folder.length + 1));
  configuration = JSON.parse(read(CONFIGURATION)) as SiteConfiguration;
}, 60_000);

describe('the static site', () => {
  test('consists of one page, a worker, a licence, its configuration, and assets with a hash in their names; no source maps', () => {
    const others = files.filter((file) => !/^assets\/.+-[\w-]{8}\.(js|css|woff2)$/.test(file));
    expect(others.toSorted()).toEqual(['fonts-licence.txt', 'index.html', 'push-worker.js', CONFIGURATION]);
    for (const file of files) expect(read(file), file).not.toContain('sourceMappingURL');
  });

  test('has no inline script or style, which its policy refuses', () => {
    const page = read('index.html');
    expect(page).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
  });

  test('its policy admits scripts, styles and fonts of the portal alone, and connections to gateway and live counts', () => {
    const headers = headersOf(configuration, '/cases');
    const policy = headers['Content-Security-Policy'] ?? '';
    const directives = Object.fromEntries(
      policy.split('; ').map((directive): [string, string] => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    expect(directives).toMatchObject({
      'default-src': `'none'`,
      'script-src': `'self'`,
      'style-src': `'self'`,
      'font-src': `'self'`,
      'connect-src': `'self' https://gateway.example wss://live.example`,
      'base-uri': `'none'`,
      'form-action': `'none'`,
      'frame-ancestors': `'none'`,
    });
    expect(policy).not.toMatch(/unsafe|\*|\bhttp:/);
  });

  test('assets may be stored for good, pages must be revalidated; both have the other headers', () => {
    const [script = ''] = files.filter((file) => /^assets\/.+\.js$/.test(file));
    const ofAsset = headersOf(configuration, `/${script}`);
    const ofPage = headersOf(configuration, '/cases');
    expect(ofAsset['Cache-Control']).toBe('public, max-age=31536000, immutable');
    expect(ofPage['Cache-Control']).toBe('no-cache');
    // A browser finds a new worker under the same name.
    expect(headersOf(configuration, '/push-worker.js')['Cache-Control']).toBe('no-cache');
    const { 'Cache-Control': _, ...others } = ofPage;
    expect(ofAsset).toMatchObject(others);
  });

  test('the configuration is within the limit of Azure Static Web Apps', () => {
    // https://learn.microsoft.com/azure/static-web-apps/configuration: 20 KB
    expect(Buffer.byteLength(read(CONFIGURATION))).toBeLessThan(20_000);
  });
});

describe('the first load', () => {
  /** The chunk whose entry is this source, with everything that it imports statically. */
  function loadedFor(source: string): Set<string> {
    const ofFile = new Map(site.chunks.map((chunk) => [chunk.fileName, chunk]));
    const entry = site.chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(source) === true);
    expect(entry, source).toBeDefined();
    const loaded = new Set<string>();
    const toLoad = [entry?.fileName ?? ''];
    for (let file = toLoad.pop(); file !== undefined; file = toLoad.pop()) {
      if (loaded.has(file)) continue;
      loaded.add(file);
      toLoad.push(...(ofFile.get(file)?.imports ?? []));
    }
    return loaded;
  }
  const ofPatient = () =>
    new Set([...loadedFor('portal/index.html'), ...loadedFor('src/patient/patient.tsx')]);
  const compressed = (names: Iterable<string>) =>
    [...names].reduce((bytes, name) => bytes + gzipSync(read(name)).length, 0);

  test('of a patient is at most 120 KB of compressed script', () => {
    expect(compressed(ofPatient())).toBeLessThanOrEqual(120_000);
  });

  test('of a patient contains nothing of the desk, of the office, or of the viewer of photos', () => {
    const modules = site.chunks
      .filter(({ fileName }) => ofPatient().has(fileName))
      .flatMap(({ moduleIds }) => moduleIds);
    expect(modules.some((id) => id.includes('/src/patient/'))).toBe(true);
    expect(modules.filter((id) => /\/src\/(desk|office)\/|openseadragon/.test(id))).toEqual([]);
  });

  test('of the desk and of the office has no part of the patient’s area', () => {
    for (const area of ['desk/desk.tsx', 'office/office.tsx']) {
      const loaded = loadedFor(`src/${area}`);
      const modules = site.chunks
        .filter(({ fileName }) => loaded.has(fileName))
        .flatMap(({ moduleIds }) => moduleIds);
      expect(modules.filter((id) => /\/src\/patient\/(pages|questions|result)\//.test(id))).toEqual([]);
    }
  });
});

describe('what npm run portal:build needs', () => {
  test('the address of a gateway, without a slash at its end', () => {
    expect(readConnections({ GATEWAY_URL: 'https://gateway.example/' })).toEqual({
      gatewayUrl: 'https://gateway.example',
      liveUrl: undefined,
    });
    expect(() => readConnections({})).toThrow('GATEWAY_URL is not set');
    expect(() => readConnections({ GATEWAY_URL: '' })).toThrow('GATEWAY_URL is not set');
  });

  test.each([
    ['http://gateway.example', false],
    ['gateway.example', false],
    ['ftp://gateway.example', false],
    ['http://127.0.0.1:7071', true],
    ['http://localhost:7071', true],
  ])('%s as an address: %s', (address, isAccepted) => {
    for (const env of [
      { GATEWAY_URL: address },
      { GATEWAY_URL: 'https://gateway.example', LIVE_URL: address },
    ]) {
      if (isAccepted) expect(readConnections(env)).toBeDefined();
      else expect(() => readConnections(env)).toThrow(`=${address} is not an https address`);
    }
  });
});
