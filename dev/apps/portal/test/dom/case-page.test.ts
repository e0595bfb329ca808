import { h } from 'preact';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { MobileCase } from '../../../../packages/client/src/index.ts';
import { en } from '../../src/i18n/en.ts';
import type { IntakeSession } from '../../src/patient/intake/intake-session.ts';
import { openPage } from './fake-page.ts';

const found = vi.hoisted((): { value: unknown; failure: undefined } => ({ value: {}, failure: undefined }));
const cancelCase = vi.hoisted(() => vi.fn<() => Promise<unknown>>());
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/patient/cases/own-cases.ts', () => ({
  useCase: () => found,
  noteCase: () => {},
  useReadOnConflict: () => {},
}));
vi.mock('../../src/patient/cases/answers.tsx', () => ({ useIsWhole: () => true, Answers: () => null }));
vi.mock('../../src/patient/cases/ask-again.tsx', () => ({}));
vi.mock('../../src/patient/cases/case-photos.tsx', () => ({ CasePhotos: () => null }));
vi.mock('../../src/patient/cases/draft-flags.tsx', () => ({
  DraftFlags: () => h('p', null, 'When to call'),
}));
vi.mock('../../src/patient/cases/guardian-form.tsx', () => ({}));
vi.mock('../../src/patient/cases/reply-form.tsx', () => ({ ReplyForm: 'form' }));
vi.mock('../../src/patient/draft/continue-button.tsx', () => ({ ContinueButton: 'button' }));
vi.mock('../../src/gateway/case-calls.ts', () => ({ cancelCase }));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
const { CasePage } = await import('../../src/patient/pages/case.tsx');

const request = { uuid: 'message', direction: 'to_patient', codes: [], text: 'Please reply.', read_at: null };
const flag = { code: 'sepsis', text: 'See a doctor today.', urgency: 'high', certainty: 'met' };
const shown = {
  uuid: 'case',
  id: 1,
  version: 1,
  patient_status: 'action_needed',
  patient: { display_name: 'Noa' },
  allowed_actions: ['update', 'cancel'],
  advice: null,
  answer_available: false,
  images: [],
  created_at: '2026-01-01T00:00:00Z',
  submitted_at: null,
  messages: [{ ...request, created_at: '2026-01-02T00:00:00Z' }],
} as unknown as MobileCase;

beforeEach(() => void cancelCase.mockReturnValue(new Promise(() => {})));

async function open(change: object = {}) {
  const page = openPage();
  const intake = { intake: { value: {} } } as IntakeSession;
  const show = () => page.show(h(CasePage, { uuid: 'case', intake }));
  found.value = { ...shown, ...change };
  await show();
  return { page, show };
}

type Opened = Awaited<ReturnType<typeof open>>;

test('a case opens at what is asked of the patient', async () => {
  const { page } = await open();
  expect(page.scrolledTo.map(({ text }) => text)).toEqual(['Please reply.']);
});

test('an urgent case opens at its advice', async () => {
  const { page } = await open({ advice: { urgency: 'high', flagDetails: [flag] } });
  expect(page.root.text).toContain('See a doctor today.');
  expect(page.scrolledTo.map(({ text }) => text)).toEqual([]);
});

test('beside an emergency every other sign can be read, with the crisis line where it is about self-harm', async () => {
  const emergency = { ...flag, text: 'This may be sepsis.', urgency: 'emergency' };
  const selfHarm = { ...flag, code: 'self_harm_risk', text: 'You have thoughts of self-harm.' };
  const advice = { urgency: 'emergency', flagDetails: [emergency, selfHarm], emergencyNumber: '112' };
  const { page } = await open({ advice: { ...advice, crisisLine: '1201' } });
  const { text } = page.root;
  expect(text.indexOf('Call the emergency services now.')).toBeLessThan(text.indexOf(selfHarm.text));
  expect(page.root.all('a').map((link) => link.attributes.get('href'))).toEqual(
    expect.arrayContaining(['tel:112', 'tel:1201']),
  );
});

test.each([
  [['duplicate_case:first'], true],
  [['quota_exceeded', 'duplicate_case:first'], false],
  [['age_excluded'], false],
  [undefined, false],
])(
  'a case that is refused for %j leads to the one that counts instead: %s',
  async (refused_for, expected) => {
    const refused = { patient_status: 'not_eligible', allowed_actions: [], messages: [], refused_for };
    const { page } = await open(refused);
    const { text } = page.root;
    expect([text.includes(en.cases.duplicate), text.includes(en.cases.next.not_eligible)]).toEqual([
      expected,
      !expected,
    ]);
    const links = page.root.all('a').map(({ attributes }) => attributes.get('to'));
    expect(links.includes('/cases/first')).toBe(expected);
  },
);

test.each([
  ['draft', true],
  ['waiting', false],
])('the page of a case that is %s says when to call: %s', async (patient_status, expected) => {
  const { page } = await open({ patient_status, allowed_actions: [], messages: [] });
  expect(page.root.text.includes('When to call')).toBe(expected);
});

describe('how soon a sign that could not be ruled out must be seen', () => {
  const open24 = { ...flag, text: 'It may be sepsis.', certainty: 'not_excluded' };
  const advice = (recommendedAction: string | null, urgency = 'high') => ({
    advice: { urgency, flagDetails: [{ ...open24, urgency }], recommendedAction },
  });

  test.each([
    ['call_emergency_services', 'Now'],
    ['same_day_medical_review', 'Today'],
    ['physician_review_within_24h', 'Within 24 hours'],
    ['physician_review_within_2_weeks', 'Within two weeks'],
  ])('is read on the page: %s is "%s"', async (action, time) => {
    for (const patient_status of ['waiting', 'not_eligible']) {
      const { page } = await open({ ...advice(action), patient_status });
      expect(page.root.text).toContain(`How urgent it is: ${time}`);
    }
  });

  test('is not beside a call for help, and where nothing is advised', async () => {
    for (const shown of [
      advice('call_emergency_services', 'emergency'),
      advice('self_care_advice'),
      advice(null),
    ]) {
      const { page } = await open(shown);
      expect(page.root.text).toContain('It may be sepsis.');
      expect(page.root.text).not.toContain('How urgent it is');
    }
  });
});

describe('once a doctor has answered', () => {
  type Section = ReturnType<Opened['page']['root']['all']>[number];
  const classOf = ({ attributes }: Section) => String(attributes.get('class'));
  const boxesOf = (page: Opened['page']) =>
    page.root.all('section').filter((each) => classOf(each).startsWith('red-flags'));
  const flagged = { code: 'rash', text: 'It may be meningitis.', urgency: 'emergency', certainty: 'met' };
  const advice = {
    urgency: 'emergency',
    flagDetails: [flagged],
    recommendedAction: 'call_emergency_services',
  };
  const answered = (answer_action: string, emergencyNumber = '112') =>
    open({
      patient_status: 'answered',
      answer_available: true,
      answer_read_at: '2026-01-03T00:00:00Z',
      answer_action,
      advice: { ...advice, emergencyNumber },
    });

  test('the advice before is what was said, folded, and calls for nothing', async () => {
    const { page } = await answered('self_care_advice');
    expect(boxesOf(page)).toEqual([]);
    expect(page.root.text).not.toContain('112');
    const [before] = page.root.all('details');
    expect(before?.text).toContain(en.cases.adviceBefore);
    expect(before?.text).toContain('It may be meningitis.');
  });

  const whileAsked = (advice_is_newer: boolean, answer_action = 'self_care_advice') =>
    open({
      patient_status: 'waiting',
      answer_available: true,
      answer_read_at: '2026-01-03T00:00:00Z',
      answer_action,
      advice: { ...advice, emergencyNumber: '112' },
      advice_is_newer,
    });

  test('the answer stays the last word while a question about it waits', async () => {
    const { page } = await whileAsked(false);
    expect(boxesOf(page)).toEqual([]);
    expect(page.root.text).not.toContain('112');
    expect(page.root.all('details')[0]?.text).toContain(en.cases.adviceBefore);
  });

  test('danger that was found since stands first, and replaces nothing', async () => {
    const { page } = await whileAsked(true, 'same_day_medical_review');
    const [first, second] = boxesOf(page);
    expect(first?.text).toContain('It may be meningitis.');
    expect(second?.text).toContain(en.cases.answerToday);
    expect(page.root.text).not.toContain(en.cases.adviceBefore);
    const called = await whileAsked(true, 'call_emergency_services');
    expect(boxesOf(called.page)[0]?.text).toContain(en.cases.answerUrgent);
  });

  test.each([
    ['call_emergency_services', 'emergency', en.result.callNow],
    ['same_day_medical_review', 'high', en.cases.answerToday],
    ['physician_review_within_24h', 'high', en.cases.answerWithinDay],
  ])('its urgency stands above all: %s', async (action, urgency, what) => {
    const { page } = await answered(action);
    const boxes = boxesOf(page);
    expect(boxes.map((box) => classOf(box))).toEqual([`red-flags ${urgency}`]);
    expect(boxes[0]?.text).toContain(what);
    expect(boxes[0]?.text.includes('112')).toBe(urgency === 'emergency');
  });
});

test('the question whether to cancel takes the focus once', async () => {
  const { page, show } = await open();
  await page.send('click', 'button', { text: 'Cancel this case' });
  await page.send('click', 'button', { text: 'Yes, cancel it' });
  found.value = { ...shown, version: 2 };
  await show();
  expect(page.focused.map(({ text }) => text)).toEqual(['No, keep it']);
});

test.each([
  [
    'Escape',
    async ({ page }: Opened) =>
      await page.send('keydown', 'div', { text: en.cases.cancelSure, key: 'Escape' }),
  ],
  ['the button', async ({ page }: Opened) => await page.send('click', 'button', { text: 'No, keep it' })],
])('a case that is kept after all, by %s, leaves the focus where the question began', async (_, keep) => {
  const opened = await open();
  const { page } = opened;
  await page.send('click', 'button', { text: 'Cancel this case' });
  await keep(opened);
  expect(page.focused.map(({ text }) => text)).toEqual(['No, keep it', 'Cancel this case']);
  expect(cancelCase).not.toHaveBeenCalled();
});

test('once a case is cancelled the page begins at its title again, above where the case stands', async () => {
  const { page } = await open();
  const title = () => page.root.all('h1')[0]?.attributes.get('about');
  const before = title();
  cancelCase.mockResolvedValue({ ok: true, value: { ...shown, patient_status: 'cancelled' } });
  await page.send('click', 'button', { text: 'Cancel this case' });
  await page.send('click', 'button', { text: 'Yes, cancel it' });
  await vi.waitFor(() => expect(title()).not.toBe(before));
});

test('a message of the patient is never new to them, and read once a doctor has read it', async () => {
  const own = { ...request, direction: 'from_patient', created_at: '2026-01-03T00:00:00Z' };
  const tagsOf = async (message: object) => {
    const { page } = await open({ messages: [message] });
    return page.root.all('span').map(({ text }) => text);
  };
  expect(await tagsOf({ ...request, created_at: own.created_at })).toEqual([en.cases.unread]);
  expect(await tagsOf(own)).toEqual([]);
  expect(await tagsOf({ ...own, read_at: own.created_at })).toEqual([en.cases.read]);
});
