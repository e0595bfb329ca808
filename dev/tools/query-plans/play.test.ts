import { expect, test } from 'vitest';
import { readScenarios } from '../../../test/endpoints/read-scenarios.ts';
import { currentDocument } from '../openapi/documented-examples.ts';
import { steps } from './play.ts';
import { timers } from '../../../src/timers.ts';

const uuid = '0193a8f0-0000-7000-8000-000000000000';
const scenarios = await readScenarios();

/** The requests of one operation, sent to an app that takes every request. */
async function play(name: string, document: Record<string, unknown>): Promise<string[]> {
  const seen: string[] = [];
  const request = async (path: string, { method }: RequestInit) => {
    seen.push(path);
    const body = { access_token: 'token', images: [{ url: `/api/common/images/${uuid}`, uuid }] };
    const status = method === 'POST' && path.endsWith('store_images') ? 201 : 200;
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  };
  const theatre = { request, output: [], drainOutbox: async () => undefined, sql: async () => undefined };
  const own = steps(theatre, scenarios, document, async () => undefined).filter((step) => step.name === name);
  for (const step of own.slice(0, 2)) await (await step.prepare())();
  return seen;
}

test('every good request, every refusal and every timer is a step', async () => {
  const all = steps(
    { request: fetch, output: [], drainOutbox: async () => undefined, sql: async () => undefined },
    scenarios,
    currentDocument(),
    async () => undefined,
  );
  const names = new Set(all.map(({ name }) => name));
  expect(names).toEqual(new Set([...scenarios.map(({ name }) => name), ...timers.map(({ name }) => name)]));
});

test('the thumbnail is asked for by the name that the parameter has', async () => {
  expect((await play('getImage', currentDocument())).at(-1)).toBe(
    `/api/common/images/${uuid}?variant=thumbnail`,
  );
});

test('a request with a parameter that the app does not publish fails, although the app answers', async () => {
  const document = JSON.stringify(currentDocument()).replace('"name":"variant"', '"name":"size"');
  await expect(play('getImage', JSON.parse(document) as Record<string, unknown>)).rejects.toThrow(
    'getImage has no query parameter variant, only size',
  );
});
