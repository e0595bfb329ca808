import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { drawDemoPhoto } from '../../dev/run/demo/photo.ts';
import { startMailCatcher } from '../../dev/services/mail-catcher.ts';
import { seedDemo } from '../../src/cli/seed.ts';
import { createAccessTokens } from '../../src/lib/auth/access-token.ts';
import { readScenarios } from '../endpoints/read-scenarios.ts';
import type { Ask } from '../endpoints/scenario.ts';
import { testApp } from '../support/app.ts';
import { afterwards } from '../support/cleanup.ts';
import { contractOf } from '../support/contract-faults.ts';
import {
  type CollectionRequest,
  describePlace,
  readCollection,
  type Reply,
  type Substitutes,
} from '../support/http-collection.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { webPubSub } from '../support/web-pubsub.ts';

// The files are for people, who send them to `npm start`; here they go to an app with the same demo users, AI service
// and mail catcher, on free ports. What a file takes from somewhere else is handed in: see `substitutes`.

const folder = import.meta.dirname;
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const openapi = JSON.parse(read('../../docs/openapi.json')) as Record<string, unknown>;
const contract = contractOf(openapi);
const scenarios = await readScenarios();

const mail = await startMailCatcher();
afterwards(mail.stop);
const { connectionString } = await webPubSub();
const app = await testApp({
  ai: 'real',
  env: {
    MAIL_URL: mail.smtpUrl,
    MAIL_FROM: 'no-reply@clinic.example',
    WEBPUBSUB_CONNECTION_STRING: connectionString,
  },
});
await seedDemo(app.databaseUrl, app.env);
const photo = join(tempFolder(), 'skin.jpg');
await drawDemoPhoto(photo);

const substitutes: Substitutes = {
  variables: {
    host: app.url.replace(/\/$/, ''),
    expiredToken: createAccessTokens({ current: app.env['SECRET_KEY'] ?? '' }).sign(
      { sub: randomUUID(), sid: randomUUID(), role: 'patient', tenantId: 1 },
      new Date(Date.now() - 60 * 60 * 1000),
    ),
    resetToken: () => mailedToken('dgp_'),
    invitationToken: () => mailedToken('dgi_'),
    verificationToken: () => mailedToken('dgv_'),
  },
  files: { '../../.local/demo/skin.jpg': photo },
};

/** The token in the newest mail that has one of its kind; mails take their time. */
async function mailedToken(prefix: string): Promise<string> {
  const token = new RegExp(`${prefix}[\\w-]{43}`);
  const deadline = Date.now() + 30_000;
  while (Date.now() < deadline) {
    const found = mail.mails().flatMap(({ text }) => token.exec(text)?.[0] ?? []);
    if (found.length > 0) return found.at(-1) ?? '';
    await sleep(20);
  }
  throw new Error(`No mail with a token ${prefix}… arrived.`);
}

const names = globSync('*.http', { cwd: folder }).toSorted((a, b) => a.localeCompare(b));
const collection = await Promise.all(
  names.map(async (file) => ({
    file,
    requests: await readCollection(join(folder, file), read(file), substitutes),
  })),
);

type Contract = ReturnType<typeof contractOf>;

/** What is wrong with the reply to a request, each with the place to look at. */
async function faultsOf(request: CollectionRequest, held: Contract = contract): Promise<string[]> {
  const faults = async () => {
    const reply = await request.send();
    return [...expectationFaults(request, reply), ...held.replyFaults(request, reply)];
  };
  const found = await faults().catch((error: unknown) => [String(error)]);
  return found.map((fault) => `${describePlace(request)}: ${fault}`);
}

function expectationFaults({ expectation: wanted }: CollectionRequest, { status, body }: Reply): string[] {
  const text = body.toString('utf8', 0, 1000);
  if (status !== wanted.status) return [`expected ${wanted.status}, got ${status} ${text}`];
  if (wanted.code === undefined) return [];
  const problem = JSON.parse(body.toString('utf8')) as { code: string; errors?: { pointer: string }[] };
  if (problem.code !== wanted.code) return [`expected ${wanted.code}, got ${text}`];
  const pointers = (problem.errors ?? []).map(({ pointer }) => pointer);
  const differ = pointers.toSorted().join(' ') !== wanted.pointers.toSorted().join(' ');
  return wanted.pointers.length > 0 && differ
    ? [`expected errors at ${wanted.pointers.join(' ')}, got ${text}`]
    : [];
}

describe.each(collection)('$file answers as it says, and as openapi.json does', ({ requests }) => {
  test.each(requests)('line $line: $title', async (request) => {
    expect(await faultsOf(request)).toEqual([]);
  });
});

/**
 * What begins with a case in a physician's hand: these files cannot bring one there without taking it from others, so
 * "Answer a case" of docs/api.md shows how, and each good request of theirs is run by the contract test.
 */
const needCaseInHand = scenarios
  .filter(({ good }) => Object.values(good).every((each) => needsState(each)))
  .map(({ name }) => name);

/** Whether a request, or one that goes before it, follows statements in the database. */
function needsState({ state, after = {} }: Ask): boolean {
  return (
    state !== undefined ||
    Object.values(after).some((each) => {
      const earlier = typeof each === 'string' ? scenarios.find(({ name }) => name === each) : each;
      return (
        earlier !== undefined &&
        needsState('good' in earlier ? (Object.values(earlier.good)[0] ?? {}) : earlier)
      );
    })
  );
}

test('no operation of openapi.json is without a request that it accepts, but what begins with a case in hand', () => {
  const accepted = collection
    .flatMap(({ requests }) => requests)
    .filter(({ expectation }) => expectation.status < 300)
    .map((request) => contract.operationOf(request)?.id);
  const missing = contract.operations.filter(({ id }) => !accepted.includes(id)).map(({ id }) => id);
  expect(missing.filter((id) => !needCaseInHand.includes(id))).toEqual([]);
  expect(missing.length).toBeLessThan(contract.operations.length / 5);
});

test('there is a file for each part of the documentation', () => {
  const { tags } = openapi as { tags: { name: string }[] };
  expect(names).toEqual(expect.arrayContaining(tags.map(({ name }) => `${name.toLowerCase()}.http`)));
});

describe.each(collection)('$file is for people', ({ file }) => {
  const text = read(file);

  test('in the notation that httpYac and REST Client share', () => {
    // Tests, scripts, lazy variables and kept replies are httpYac's or JetBrains' alone, and sent as a body by others.
    expect(text).not.toMatch(/^(?:\?\?|[<>] ?\{%|>|\{\{[@+]?\s*$|@\w+\s*:=)/m);
    for (const [, tag] of text.matchAll(/^# @(.*)$/gm)) expect(tag).toMatch(/^(?:name|ref) \w+$/);
  });

  test('who send any request in httpYac: what it refers to is sent before', () => {
    const requests = text.split(/^###/m).slice(1);
    const named = new Map(requests.map((request) => [/^# @name (\w+)$/m.exec(request)?.[1], request]));
    const sentBefore = (request: string): string[] =>
      [...request.matchAll(/^# @ref (\w+)$/gm)].flatMap(([, name]) => [
        name ?? '',
        ...sentBefore(named.get(name) ?? ''),
      ]);
    for (const request of requests) {
      const needed = [...request.matchAll(/\{\{(\w+)\.response\b/g)].map(([, name]) => name);
      expect(sentBefore(request)).toEqual(expect.arrayContaining(needed));
    }
  });
});

const ai = { file: 'ai.http', text: read('ai.http') };

async function changed(from: string, to: string): Promise<CollectionRequest[]> {
  expect(ai.text.split(from)).toHaveLength(2);
  return await readCollection(join(folder, ai.file), ai.text.replace(from, to), substitutes);
}

const lineAfter = (part: string) => ai.text.slice(0, ai.text.indexOf(part)).split('\n').length + 1;

describe('a mistake in a file is found, with its place', () => {
  test.each([
    [
      'the status',
      '# expect 404 not_found',
      '# expect 400 not_found',
      `test/http/ai.http:${lineAfter('# expect 404')} (A stored photo that does not exist): expected 400, got 404 {`,
    ],
    [
      'the code',
      '# expect 400 validation_error /imageUrl',
      '# expect 400 malformed_json /imageUrl',
      '(Addresses elsewhere are never fetched): expected malformed_json, got {',
    ],
    [
      'a refused field',
      'validation_error /imageData',
      'validation_error /imagedata',
      ': expected errors at /imagedata, got {',
    ],
    [
      'a reference',
      '{{checkImage_stored_stored.response.body.images[0].url}}',
      '{{checkImage_stored_stored.response.body.pictures[0].url}}',
      '(A stored photo): Error: Cannot read properties of undefined',
    ],
    [
      'the file to send',
      '< ../../.local/demo/skin.jpg\n--dermagate--\n\n### Not base64',
      '< ../skin.jpg\n--dermagate--\n\n### Not base64',
      '(A photo as a form): expected 200, got 400 {',
    ],
  ])('%s', async (_what, from, to, fault) => {
    const faults: string[] = [];
    for (const request of await changed(from, to)) faults.push(...(await faultsOf(request)));
    expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    [
      'nothing said of a reply',
      '# expect 404 not_found\n',
      '',
      /ai\.http:\d+ \(.*\) needs one line "# expect/,
    ],
    ['no title', '### Not base64', '###', /ai\.http:\d+ has no title/],
  ])('%s', async (_what, from, to, message) => {
    await expect(changed(from, to)).rejects.toThrow(message);
  });
});

describe('a reply that openapi.json does not have is found', () => {
  type Responses = Record<string, { content: Record<string, object> }>;
  type Document = { paths: Record<string, { post: { responses: Responses } }> };

  const withContent = (content: Record<string, object>) => (responses: Responses) =>
    Object.assign(responses, { 200: { ...responses['200'], content } });
  const number = { schema: { properties: { access_token: { type: 'integer' } } } };

  test.each([
    ['the status', (responses: Responses) => delete responses['200'], 'openapi.json has no 200 for logIn'],
    [
      'the type',
      withContent({ 'text/plain': {} }),
      'openapi.json does not have the content type application/json',
    ],
    ['the body', withContent({ 'application/json': number }), 'body/access_token must be integer'],
    [
      'a header',
      (responses: Responses) => Object.assign(responses, { 200: { ...responses['200'], headers: {} } }),
      'openapi.json has no header x-request-id for this reply',
    ],
  ])('%s', async (_what, spoil, fault) => {
    const document = structuredClone(openapi) as unknown as Document & Record<string, unknown>;
    const responses = document.paths['/api/auth/login']?.post.responses;
    spoil(responses as Responses);
    const [login] = await readCollection(join(folder, ai.file), ai.text, substitutes);
    const faults = await faultsOf(login as CollectionRequest, contractOf(document));
    expect(faults).toEqual([
      expect.stringMatching(new RegExp(`\\(Log in as the demo patient\\): ${fault}$`)),
    ]);
  });

  test('the operation', async () => {
    const document = { ...openapi, paths: {} };
    const [login] = await readCollection(join(folder, ai.file), ai.text, substitutes);
    const faults = await faultsOf(login as CollectionRequest, contractOf(document));
    expect(faults).toEqual([expect.stringContaining('openapi.json has no such operation')]);
  });
});
