import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { AnamnesisLabels, BodyMap } from '../../../src/domain/catalogue/resources/shipped-documents.ts';
import { secondaryByPrimary } from '../../../src/domain/intake/anamnesis/vocabulary/locations.ts';
import { createTenant, from, freshAddress, register, tenantRows } from '../../support/accounts.ts';
import { anotherInstance } from '../../support/another-instance.ts';
import { testApp } from '../../support/app.ts';
import { anamnesis } from '../../support/diagnosis.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

const app = await testApp();
// An app remembers the parameters of a tenant for five seconds: each test has tenants of its own.
let tenants = 0;
async function newTenant() {
  const slug = `configured-${(tenants += 1)}`;
  const id = await createTenant(app, slug);
  const set = (name: string, key: string, value: unknown, visibility = 'public') => {
    const [branch, subBranch] = name.split('/');
    return tenantRows(
      app,
      `INSERT INTO application_parameters (tenant_id, branch, sub_branch, key, value, visibility)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [id, branch, subBranch, key, JSON.stringify(value), visibility],
      id,
    );
  };
  return { slug, set };
}

interface Parameters {
  version: number;
  parameters: Record<string, unknown>;
}
const get = (path: string, options: { token?: string; headers?: Record<string, string> } = {}) =>
  app.request(`/api/v1/${path}`, { ...options, headers: { ...from(freshAddress()), ...options.headers } });
const parameters = (name: string, slug: string, options = {}) =>
  get(`mobile/config/parameters/${name}?tenant=${slug}`, options);
const resource = (name: string, slug: string, query = '', headers = {}) =>
  get(`frontend/download_resource/${name}?tenant=${slug}${query}`, { headers });
const connect = (slug: string, body: object = {}, instance: Pick<typeof app, 'request'> = app, lang = 'en') =>
  instance.request(`/api/v1/mobile/config/check-connectivity?tenant=${slug}&lang=${lang}`, {
    json: { client_time: new Date().toISOString(), app_version: '2.9.0', platform: 'ios', ...body },
    headers: from(freshAddress()),
  });

test('a tenant’s value stands over the platform’s, for that tenant only; the version and the tag change', async () => {
  const [own, other] = [await newTenant(), await newTenant()];
  await own.set('legal/consent', 'version', '2026-10');
  const [mine, theirs] = [
    await parameters('legal/consent', own.slug),
    await parameters('legal/consent', other.slug),
  ];
  const [a, b] = [(await mine.json()) as Parameters, (await theirs.json()) as Parameters];
  expect(a.parameters).toEqual({ version: '2026-10', resource: 'consent' });
  expect(b.parameters).toEqual({ version: '1', resource: 'consent' });
  expect(a.version).toBeGreaterThan(b.version);
  expect(mine.headers.get('etag')).not.toBe(theirs.headers.get('etag'));
  const etag = theirs.headers.get('etag') ?? '';
  const again = await parameters('legal/consent', other.slug, { headers: { 'if-none-match': etag } });
  expect([again.status, await again.text()]).toEqual([304, '']);
});

test('without a token one sees what is public, with a token also what is for accounts, as staff what is for staff, and never the rest', async () => {
  const { slug, set } = await newTenant();
  for (const visibility of ['public', 'authenticated', 'staff', 'internal'])
    await set('clinic/doors', visibility, true, visibility);
  await set('clinic/secret', 'key', true, 'internal');
  const { access_token: token } = await register(app, { tenant: slug });
  const keys = async (options = {}) =>
    Object.keys(((await (await parameters('clinic/doors', slug, options)).json()) as Parameters).parameters);
  expect(await keys()).toEqual(['public']);
  expect((await keys({ token })).toSorted()).toEqual(['authenticated', 'public']);
  for (const role of ['physician', 'admin'] as const) {
    const staff = await register(app, { tenant: slug, role });
    expect((await keys({ token: staff.access_token })).toSorted()).toEqual([
      'authenticated',
      'public',
      'staff',
    ]);
  }
  const codes = [];
  for (const [name, options] of [
    ['clinic/secret', {}],
    ['clinic/secret', { token }],
    ['clinic/nothing', {}],
    ['eligibility/rules', { token }],
    ['Legal/consent', {}],
    ['__proto__/consent', {}],
  ] as const) {
    const reply = await parameters(name, slug, options);
    codes.push([reply.status, ((await reply.json()) as { code: string }).code]);
  }
  expect(new Set(codes.map(String))).toEqual(new Set(['404,parameters_not_found']));
});

test('a tenant publishes nothing that the platform hides', async () => {
  const { slug, set } = await newTenant();
  await set('retention/rules', 'case_years', 30, 'public');
  expect((await parameters('retention/rules', slug)).status).toBe(404);
});

test('texts come in the language of the request, marked as such, and a named version may be cached', async () => {
  const { slug } = await newTenant();
  const texts = await Promise.all(
    ['consent', 'privacy', 'photo-guide'].flatMap((name) =>
      ['en', 'he', 'ar', 'es'].map(async (lang) => {
        const reply = await resource(name, slug, `&lang=${lang}`);
        expect(reply.status).toBe(200);
        expect(reply.headers.get('content-language')).toBe(lang);
        expect(reply.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        // Another version may count from now on.
        expect(reply.headers.get('cache-control')).toBe('no-cache');
        const named = await resource(name, slug, `&lang=${lang}&version=1`);
        expect(named.headers.get('cache-control')).toBe('public, max-age=3600');
        return await reply.text();
      }),
    ),
  );
  expect(new Set(texts).size).toBe(12);
  for (const text of texts) expect(text.length).toBeGreaterThan(150);
});

test('a clinic’s own consent replaces the shipped one in every language, and older versions stay readable', async () => {
  const { slug, set } = await newTenant();
  await set('legal/consent', 'version', '2026-10');
  await set('resources/consent', 'v2026_10', { en: 'Our own consent.', he: 'ההסכמה שלנו.' });
  const text = async (query: string) => (await (await resource('consent', slug, query)).text()).trim();
  expect(await text('')).toBe('Our own consent.');
  expect(await text('&lang=he')).toBe('ההסכמה שלנו.');
  // Better English than a shipped text that differs.
  const arabic = await resource('consent', slug, '&lang=ar');
  expect([arabic.headers.get('content-language'), (await arabic.text()).trim()]).toEqual([
    'en',
    'Our own consent.',
  ]);
  expect(await text('&version=1')).toMatch(/^With your consent/);
  expect((await resource('consent', slug, '&version=2')).status).toBe(404);
});

test('the body map names every value of a location, in its region and with four labels', async () => {
  const { slug } = await newTenant();
  const reply = await resource('body-map.json', slug);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(reply.headers.get('content-language')).toBeNull();
  const map = (await reply.json()) as BodyMap;
  const places = Object.fromEntries(
    map.regions.map(({ primary, places: all }) => [primary, all.map(({ secondary }) => secondary)]),
  );
  expect(places).toEqual(secondaryByPrimary);
  const entries = [...map.regions, ...map.regions.flatMap(({ places: all }) => all), ...map.sides];
  for (const { labels } of entries) {
    expect(Object.keys(labels)).toEqual(['en', 'he', 'ar', 'es']);
    expect(labels.he).toMatch(/[\u05d0-\u05ea]/);
    expect(labels.ar).toMatch(/[\u0627-\u064a]/);
  }
  const etag = reply.headers.get('etag') ?? '';
  expect((await resource('body-map.json', slug, '&lang=ar', { 'if-none-match': etag })).status).toBe(304);
  expect((await resource('body-map.json', slug, '&version=1')).status).toBe(200);
  expect((await resource('body-map.json', slug, '&version=2')).status).toBe(404);
});

test('the schema of an anamnesis accepts what the gateway accepts, and names a misspelt field', async () => {
  const { slug } = await newTenant();
  const schema = (await (await resource('anamnesis-schema.json', slug)).json()) as object;
  expect(schema).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  const isValid = ajv.compile(schema);
  expect([isValid(anamnesis), isValid.errors]).toEqual([true, null]);
  expect(isValid({ ...anamnesis, complaint: { category: 'rash', duraton: 'one_day' } })).toBe(false);
});

test('every value that an anamnesis may have has a label in four languages', async () => {
  const { slug } = await newTenant();
  const labels = (await (await resource('anamnesis-labels.json', slug)).json()) as AnamnesisLabels;
  expect(labels.fields).toMatchObject({
    'complaint.duration': 'Duration',
    'complaint.triggers': 'Trigger',
    'locations.secondary': 'LocationSecondary',
    'medications.route': 'MedicationRoute',
  });
  const schema = (await (await resource('anamnesis-schema.json', slug)).json()) as {
    $defs: Record<string, { enum?: string[] }>;
  };
  // No question asks for these: they come with the request and with the photos.
  const asked = Object.fromEntries(
    Object.entries(labels.fields).filter(([path]) => !/^(?:language|images\..*)$/.test(path)),
  );
  const unlabelled = Object.values(labels.labels).flatMap((groups) =>
    Object.entries(asked).flatMap(([path, name]) =>
      (schema.$defs[name]?.enum ?? [])
        .filter((value) => !groups[name]?.[value])
        .map((value) => `${path}: ${value}`),
    ),
  );
  expect(unlabelled).toEqual([]);
});

test.each([
  'passwd',
  '..%2f..%2fetc',
  'consent.txt',
  'Consent',
  '__proto__',
  'constructor',
  'photo_guide',
  'body-map',
])('there is no resource %s', async (name) => {
  const { slug } = await newTenant();
  const reply = await resource(name, slug);
  expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([
    404,
    'resource_not_found',
  ]);
});

test('an app that is too old must update, one before the recommended version should', async () => {
  const { slug, set } = await newTenant();
  await set('mobile/app', 'min_version', '2.9');
  await set('mobile/app', 'recommended_version', '2.10.1');
  const update = async (version: string) =>
    ((await (await connect(slug, { app_version: version })).json()) as { update: string }).update;
  expect(await update('2.8.99')).toBe('required');
  expect(await update('2.9.0')).toBe('recommended');
  expect(await update('2.10')).toBe('recommended');
  expect(await update('2.10.1')).toBe('none');
  expect(await update('10.0')).toBe('none');
});

test('maintenance is announced in the language of the request, and the skew of the clock is in the reply', async () => {
  const { slug, set } = await newTenant();
  const until = '2030-01-01T00:00:00Z';
  await set('mobile/app', 'maintenance', { until, text: { en: 'Back soon', he: 'נחזור בקרוב' } });
  const ahead = new Date(Date.now() + 3_600_000).toISOString();
  const reply = (await (await connect(slug, { client_time: ahead }, app, 'he')).json()) as Record<
    string,
    unknown
  >;
  expect(reply).toMatchObject({ maintenance: { until, text: 'נחזור בקרוב' } });
  expect(Math.abs((reply['clock_skew_ms'] as number) - 3_600_000)).toBeLessThan(60_000);
  const arabic = await (await connect(slug, {}, app, 'ar')).json();
  expect(arabic).toMatchObject({ maintenance: { text: 'Back soon' } });
});

test('maintenance whose end has passed is not announced any more', async () => {
  const { slug, set } = await newTenant();
  const until = new Date(Date.now() - 1000).toISOString();
  await set('mobile/app', 'maintenance', { until, text: { en: 'Back soon' } });
  expect(await (await connect(slug)).json()).toMatchObject({ maintenance: null });
});

test.each(['reset', 'hang'] as const)(
  'a database that is gone or hangs (%s) is reported in time',
  async (fails) => {
    const database = new URL(app.databaseUrl);
    const line = await tcpProxy({ host: database.hostname, port: Number(database.port) });
    const away = await anotherInstance(app, {
      DATABASE_URL: Object.assign(new URL(app.databaseUrl), { port: String(line.port) }).href,
    });
    // A connection that is open meets a server that sends nothing more.
    expect((await away.request('/health')).status).toBe(200);
    line[fails]();
    const started = performance.now();
    const reply = await connect((await newTenant()).slug, {}, away);
    expect(performance.now() - started).toBeLessThan(3000);
    expect([reply.status, await reply.json()]).toEqual([
      200,
      expect.objectContaining({
        update: 'none',
        services: expect.objectContaining({ database: 'down' }) as object,
      }),
    ]);
  },
);

test('a network that asks without pause has to wait, others do not', async () => {
  const headers = from(freshAddress());
  const ask = () => app.request('/api/v1/mobile/config/parameters/legal/consent', { headers });
  const statuses: number[] = [];
  for (let n = 0; n < 301; n += 50)
    statuses.push(...(await Promise.all(Array.from({ length: 50 }, async () => (await ask()).status))));
  expect(statuses.filter((status) => status === 200)).toHaveLength(300);
  const refused = await ask();
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await get('mobile/config/parameters/legal/consent')).status).toBe(200);
});
