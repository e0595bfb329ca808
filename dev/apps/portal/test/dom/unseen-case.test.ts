import { h } from 'preact';
import { beforeEach, expect, test, vi } from 'vitest';
import { en } from '../../src/desk/i18n/en.ts';
import type { Failure } from '../../src/gateway/failure.ts';
import { openPage } from './fake-page.ts';

const gateway = vi.hoisted(() => ({
  capabilities: [] as string[],
  reply: {} as object,
  claimed: [] as string[],
  shown: [] as unknown[],
}));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
vi.mock('../../src/desk/parts/my-profile.ts', () => ({
  useMyProfile: () => ({ value: { capabilities: gateway.capabilities } }),
}));
vi.mock('../../src/gateway/desk-calls.ts', () => ({
  claimUnseen: async (uuid: string) => {
    gateway.claimed.push(uuid);
    return gateway.reply;
  },
}));
vi.mock('../../src/query/use-read.ts', () => ({
  readAgain: () => {},
  setRead: (key: unknown, value: unknown) => void gateway.shown.push([key, value]),
}));
const { UnseenCase } = await import('../../src/desk/case/unseen-case.tsx');

const hidden: Failure = { code: 'unexpected', reason: 'case_not_found', fields: {} };
const taken = { uuid: 'case', status: 'in_review' };

beforeEach(() => {
  Object.assign(gateway, {
    capabilities: ['on_call'],
    reply: { ok: true, value: taken },
    claimed: [],
    shown: [],
  });
});

async function open(failure: Failure = hidden, wasSeen = false) {
  const page = openPage();
  await page.show(h(UnseenCase, { uuid: 'case', failure, again: () => {}, wasSeen }));
  return page;
}

test('a physician on call takes an emergency of another lane from the link of the message', async () => {
  const page = await open();
  expect(page.root.text).toContain(en.case.onCall);
  await page.send('click', 'button', { text: en.case.claim });
  expect(gateway.claimed).toEqual(['case']);
  await expect.poll(() => gateway.shown).toEqual([[['case', 'case'], taken]]);
});

test('one that is no emergency, or not in the queue, stays hidden, with the reason', async () => {
  gateway.reply = { ok: false, failure: { ...hidden, reason: 'lease_limit' } };
  const page = await open();
  await page.send('click', 'button', { text: en.case.claim });
  await expect.poll(() => page.root.text).toContain(en.problems.lease_limit);
  expect(gateway.shown).toEqual([]);
});

test.each<[string, string[], Failure]>([
  ['to others', ['case.audit'], hidden],
  ['while the gateway is away', ['on_call'], { code: 'offline', fields: {} }],
])('is not offered %s', async (_when, capabilities, failure) => {
  gateway.capabilities = capabilities;
  expect((await open(failure)).root.text).not.toContain(en.case.claim);
});

test('one that could be read before may be a colleague’s now; it is not shown as one that may not exist', async () => {
  expect((await open(hidden, true)).root.text).toContain(en.case.gone);
  const { root } = await open();
  // Its page has no other title.
  expect(root.all('h1').map(({ text }) => text)).toEqual([en.case.title]);
  const { text } = root;
  expect(text).toContain(en.problems.case_not_found);
  expect(text).not.toContain(en.case.gone);
});
