import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createRequestCheck, type Probe } from './request-faults.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const contract = createRequestCheck(JSON.parse(read('docs/openapi.json')) as Record<string, unknown>);
const anamnesis = JSON.parse(read('dev/run/demo/anamnesis.json')) as Record<string, unknown>;

const image = '/api/common/images/0193a8f0-0000-7000-8000-000000000000';

function form(fields: Record<string, string>, photos: readonly string[] = []): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  for (const name of photos) made.set(name, new Blob(['x'], { type: 'image/jpeg' }), 'skin.jpg');
  return made;
}

describe('a request that the gateway is asked to take', () => {
  test.each<[string, Probe]>([
    ['a query parameter', { method: 'GET', target: `${image}?variant=thumbnail` }],
    ['HEAD, as for every GET', { method: 'HEAD', target: `${image}?variant=thumbnail` }],
    ['one that many operations have', { method: 'POST', target: '/api/ai/triage?lang=he', body: anamnesis }],
    ['no body', { method: 'POST', target: '/api/auth/logout-all' }],
    ['a form', { method: 'POST', target: '/api/common/store_images', body: form({}, ['images']) }],
    [
      'a form with JSON',
      {
        method: 'POST',
        target: '/api/diagnosis',
        body: form({ anamnesis: JSON.stringify(anamnesis) }, ['image']),
      },
    ],
  ])('may have %s', (_what, probe) => expect(contract.faultsOf(probe)).toEqual([]));

  test.each<[string, Probe, RegExp]>([
    [
      'a misspelt query parameter',
      { method: 'GET', target: `${image}?size=thumbnail` },
      /^getImage has no query parameter size, only variant$/,
    ],
    ['a misspelt value', { method: 'GET', target: `${image}?variant=thumb` }, /^variant must be equal to/],
    ['one twice', { method: 'GET', target: `${image}?variant=thumbnail&variant=thumbnail` }, /2 times/],
    ['one of another operation', { method: 'GET', target: '/api/auth/me?lang=he' }, /getMe has no .* lang/],
    ['a misspelt path', { method: 'GET', target: '/api/auth/mee' }, /has no GET \/api\/auth\/mee/],
    ['another method', { method: 'PUT', target: '/api/auth/me' }, /has no PUT/],
    [
      'a misspelt member',
      { method: 'POST', target: '/api/auth/logout', body: { refreshtoken: 'x' } },
      /^body must have required property 'refresh_token'/,
    ],
    [
      'a misspelt member deep inside',
      { method: 'POST', target: '/api/ai/triage', body: { patient: { gendre: 'female' } } },
      /must NOT have (?:additional|unevaluated) properties/,
    ],
    ['no body where one is needed', { method: 'POST', target: '/api/auth/login' }, /logIn needs a body/],
    ['a body where none is taken', { method: 'GET', target: '/api/auth/me', body: {} }, /takes no/],
    [
      'a form for JSON',
      { method: 'POST', target: '/api/auth/login', body: form({ email: 'x' }) },
      /logIn takes no multipart/,
    ],
    [
      'a misspelt field of a form',
      { method: 'POST', target: '/api/common/store_images', body: form({}, ['image']) },
      /the field images is missing/,
    ],
    [
      'wrong JSON in a form',
      { method: 'POST', target: '/api/diagnosis', body: form({ anamnesis: '{"patient":{}}' }, ['image']) },
      /^anamnesis.* must have required property/,
    ],
  ])('must not have %s', (_what, probe, fault) => expect(contract.faultsOf(probe)[0]).toMatch(fault));
});

describe('what stands in sources and documents', () => {
  const files = globSync(['dev/**/*.{ts,tsx,mjs,json}', '**/*.md', 'infra/**/*.{sh,bicep,kql}'], {
    cwd: root,
    exclude: (path) => /node_modules|dist|\.local|\.test\.ts$/.test(path),
  });
  /** What no operation of the address takes; the method is not always written beside it. */
  const faultsOf = (target: string) => {
    const byMethod = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
      .filter((method) => contract.operationOf({ method, target }) !== undefined)
      .map((method) => contract.unknownQuery({ method, target }));
    return byMethod.some((faults) => faults.length === 0) ? [] : byMethod.flat();
  };
  /** A path of the gateway with a query, wherever it stands; a placeholder in the path is a step of it. */
  const written = (text: string) =>
    [
      ...text.matchAll(/\/(?:api|healthy?)(?:\/(?:[\w.-]|\$?\{[^}\s]*\}+)+)*\?(?:[\w-]+=[^\s"'`&)]*&?)+/g),
    ].map(([target]) => target.replaceAll(/\$?\{+[^}]*\}+/g, '0'));

  test('is found', () => {
    expect(written('curl "$URL/api/diagnosis?lang=es" -H x')).toEqual(['/api/diagnosis?lang=es']);
    expect(written('GET {{host}}/api/common/images/{{a.b[0].uuid}}?size=small')).toEqual([
      '/api/common/images/0?size=small',
    ]);
    expect(files.length).toBeGreaterThan(100);
  });

  test('names no query parameter that its operation does not have', () => {
    const faults = files.flatMap((file) =>
      written(read(file)).flatMap((target) => faultsOf(target).map((fault) => `${file}: ${fault}`)),
    );
    expect(faults).toEqual([]);
    expect(faultsOf('/api/v1/backoffice/templates?colour=red')).not.toEqual([]);
  });
});
