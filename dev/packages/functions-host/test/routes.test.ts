import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostFor, request, runHost } from './running-host.ts';
import type { RunningHost } from './running-host.ts';

let host: RunningHost;
beforeAll(async () => {
  host = await runHost('routes');
});
afterAll(() => host.stop());

async function get(path: string, on = host) {
  const { status, text } = await request(on, `GET ${path}`);
  return status === 200 ? (JSON.parse(text) as { name: string; params: Record<string, string> }) : status;
}

describe('templates', () => {
  test.each([
    ['/int/5', { id: '5' }],
    ['/int/+5', { id: '+5' }],
    ['/int/%205', { id: ' 5' }],
    ['/int/-2147483648', { id: '-2147483648' }],
    ['/range/9', { id: '9' }],
    ['/guid/0af76519-16cd-43dd-8448-eb211c80319c', { id: '0af76519-16cd-43dd-8448-eb211c80319c' }],
    ['/guid/0AF7651916CD43DD8448EB211C80319C', { id: '0AF7651916CD43DD8448EB211C80319C' }],
    ['/code/abc', { id: 'abc' }],
    ['/pattern/12-a', { id: '12-a' }],
    ['/optional/a', { first: 'a' }],
    ['/optional/a/b', { first: 'a', second: 'b' }],
    ['/fallback', { size: 'small', colour: 'red' }],
    ['/fallback/large', { size: 'large', colour: 'red' }],
    ['/fallback/large/blue/', { size: 'large', colour: 'blue' }],
    ['/rest', {}],
    ['/rest/', {}],
    ['/rest/a/b/', { path: 'a/b/' }],
    ['/rest/a//b', { path: 'a//b' }],
    ['/file/photo.jpeg', { name: 'photo', extension: 'jpeg' }],
    ['/file/photo.tar.gz', { name: 'photo.tar', extension: 'gz' }],
    ['/file/photo', { name: 'photo' }],
    ['/pair/a-b-c', { from: 'a-b', to: 'c' }],
    ['/mixed/CASE/Kept', { Value: 'Kept' }],
  ])('%s matches with %j', async (path, params) => {
    expect(await get(path)).toMatchObject({ params });
  });

  test.each([
    '/int/abc',
    '/int/2147483648',
    '/int/1.5',
    '/int',
    '/range/10',
    '/guid/0af76519',
    '/code/ab1',
    '/code/abcd',
    '/pattern/1-a',
    '/optional',
    '/optional/a/b/c',
    '/rest//a',
    '/file/photo.',
    '/pair/a-',
    '/value/a/b',
    '//value/a',
  ])('%s matches nothing', async (path) => {
    expect(await get(path)).toBe(404);
  });
});

describe('overlapping templates: the first name wins', () => {
  test('whatever is more specific or was registered first', async () => {
    expect(await get('/order/exact')).toMatchObject({ name: 'order-a-any' });
  });

  test('by ordinal order, ignoring case: ov4ax before ov4_x, "-" before digits', async () => {
    expect(await get('/ordinal')).toMatchObject({ name: 'ov4ax' });
    expect(await get('/dash')).toMatchObject({ name: 'dash-1' });
  });

  test('the same route with other methods: both work', async () => {
    expect(await get('/same')).toMatchObject({ name: 'sameGet' });
    expect(JSON.parse((await request(host, 'POST /same')).text)).toMatchObject({ name: 'samePost' });
  });

  test('the same route and method twice is no error', async () => {
    expect(await get('/twice')).toMatchObject({ name: 'aa-twice' });
  });
});

describe('a catch-all at the root', () => {
  test('takes / and unknown admin paths, not //a//b', async () => {
    const all = await hostFor('odd', { main: 'catch-all.ts' });
    expect(await get('/', all)).toEqual({ params: {} });
    expect(await get('/admin/nothing', all)).toEqual({ params: { path: 'admin/nothing' } });
    expect(await get('/admin/host/status', all)).toBe(401);
    expect(await get('//a//b', all)).toBe(404);
    expect((await request(all, 'DELETE /')).text).toContain('up and running');
  });
});

test('a route with a leading slash works while the prefix is empty', async () => {
  const slashed = await hostFor('odd', { main: 'leading-slash.ts' });
  expect((await request(slashed, 'GET /x/1')).text).toBe('1');
});
