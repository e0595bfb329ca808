import { signal } from '@preact/signals';
import { h } from 'preact';
import { useState } from 'preact/hooks';
import { act } from 'preact/test-utils';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import type {
  CaseDetail,
  DermatologistAnnotation,
  DiagnosisInput,
  PhysicianDetails,
  Template,
} from '../../../../packages/client/src/index.ts';
import { amendmentOf } from '../../src/desk/answer/amendments.ts';
import type { DraftKeeper } from '../../src/desk/answer/draft-keeper.ts';
import type { FilterBar as Bar } from '../../src/desk/search/filter-bar.tsx';
import { en as deskEn } from '../../src/desk/i18n/en.ts';
import { en } from '../../src/i18n/en.ts';
import { en as staffEn } from '../../src/staff/i18n/en.ts';
import { openPage } from './fake-page.ts';
import { loseSession, signIn, signOut } from './fake-session.ts';

const { call, notices, read } = vi.hoisted(() => ({
  read: { now: {} as object, keys: [] as unknown[], again: [] as unknown[] },
  call: vi.fn<(...given: unknown[]) => Promise<object>>(),
  notices: { value: [] as object[] },
}));
vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/gateway/desk-calls.ts', () => ({
  holdCase: call,
  moveCase: call,
  releaseCase: call,
  readStaffCase: call,
  signAudit: call,
  amendAnswer: call,
  updateTemplate: call,
  listOwnTemplates: call,
  listDiseases: call,
  listColleagues: call,
}));
vi.mock('../../src/query/use-read.ts', () => ({
  setRead: () => {},
  readAgain: (key: unknown) => void read.again.push(key),
  useRead(key: unknown) {
    read.keys.push(key);
    return read.now;
  },
}));
const address = signal(new URLSearchParams());
vi.mock('../../src/session/route.ts', () => ({ query: address, replaceQuery: () => {} }));
vi.mock('../../src/desk/search/filter-bar.tsx', () => ({ FilterBar: 'p' }));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
vi.mock('../../src/desk/parts/modal.tsx', () => ({
  Modal: ({ children }: { children: object }) => children,
}));
vi.mock('../../src/desk/keys/use-keys.ts', () => ({ useKeys: () => {} }));
vi.mock('../../src/desk/answer/answer-fields.tsx', () => ({ AnswerFields: 'textarea' }));
vi.mock('../../src/desk/answer/disease-field.tsx', () => ({ DiseaseField: 'p' }));
vi.mock('../../src/desk/home/queue-counts.tsx', () => ({ QueueCounts: 'p' }));
vi.mock('../../src/desk/parts/my-profile.ts', () => ({ useMyProfile: () => ({}), useMayAudit: () => false }));
vi.mock('../../src/desk/take/next-case.tsx', () => ({ NextCaseButton: 'p' }));
vi.mock('../../src/desk/live/session-events.ts', () => ({
  notices,
  dismiss: () => {},
  dismissAll: call,
  followEvents: async () => {},
}));
const fields = new Map<string, { value: string; focus?: () => void }>();
vi.stubGlobal('document', {
  activeElement: null,
  getElementById: (id: string) => fields.get(id) ?? null,
});
for (const name of ['scrollTo', 'requestAnimationFrame', 'addEventListener', 'removeEventListener'])
  vi.stubGlobal(name, () => 0);
afterAll(() => void vi.unstubAllGlobals());
const { HoldDialog } = await import('../../src/desk/case/hold-dialog.tsx');
const { CaseActions } = await import('../../src/desk/case/actions.tsx');
const { AnswerForm } = await import('../../src/desk/answer/answer-form.tsx');
const { AnswerPanel } = await import('../../src/desk/answer/answer-panel.tsx');
const { AmendForm } = await import('../../src/desk/answer/amend-form.tsx');
const { DraftDifferences } = await import('../../src/desk/answer/draft-conflict.tsx');
const { DiagnosisList } = await import('../../src/desk/answer/diagnosis-list.tsx');
const { FurtherFields } = await import('../../src/desk/answer/further-fields.tsx');
const { SignedAnswer } = await import('../../src/desk/answer/signed-answer.tsx');
const { AuditForm } = await import('../../src/desk/audit/audit-form.tsx');
const { DeskHome } = await import('../../src/desk/home/home.tsx');
const { SearchPage } = await import('../../src/desk/search/search-page.tsx');
const { CaseHead } = await import('../../src/desk/case/case-head.tsx');
const { TemplateForm } = await import('../../src/desk/settings/template-form.tsx');
const { Templates } = await import('../../src/desk/settings/templates.tsx');
const { Vacation } = await import('../../src/desk/settings/vacation.tsx');
const { Notices } = await import('../../src/desk/live/notices.tsx');
const { unsentOf } = await import('../../src/session/unsent.ts');
const { audits, emptyAudit } = await import('../../src/desk/audit/audit-entries.ts');

const answer = {
  uuid: 'answer',
  kind: 'dermatologist',
  status: 'final',
  version: 1,
  language: 'en',
  diagnoses: [{ code: 'psoriasis', text: 'Psoriasis', certainty: 'probable', is_primary: true }],
  treatments: [],
  acknowledged_flags: [],
  recommended_action: 'self_care_advice',
  image_quality_ok: true,
};
const shown = {
  uuid: 'case',
  id: 12_345,
  version: 1,
  language: 'en',
  status: 'queued',
  patient: { display_name: 'Noa', age_years: 5, gender: null, relation: 'child' },
  anamnesis: {},
  annotations: [answer],
  flag_details: [],
  allowed_actions: ['amend'],
  triage_level: null,
  due_at: null,
  pending_status: null,
  urgency: null,
  lease_expires_at: null,
  assigned_physician: null,
} as unknown as CaseDetail;
const begun = { ...amendmentOf(answer as unknown as Parameters<typeof amendmentOf>[0]), reason: 'A typo' };
const ended = { ok: false, failure: { code: 'unexpected', fields: {}, signedOut: true } };

beforeEach(() => {
  call.mockReset();
  read.now = {};
  read.again = [];
  signOut();
  signIn('ann');
});

test('a message to the patient is back after its dialog was closed, or the session had ended', async () => {
  const open = async () => {
    const page = openPage();
    const done = () => {};
    await page.show(h(HoldDialog, { shown, before: async () => true, onDone: done, onClose: done }));
    return { page, typed: () => page.root.all('textarea')[0]?.attributes.get('value') };
  };
  const first = await open();
  await first.page.send('input', 'textarea', { value: 'Please send a photo.' });
  call.mockResolvedValueOnce(ended);
  await first.page.send('submit', 'form');
  loseSession();
  await first.page.show(null);
  signIn('ann');
  const second = await open();
  expect(second.typed()).toBe('Please send a photo.');
  call.mockResolvedValueOnce({ ok: true, value: shown });
  await second.page.send('submit', 'form');
  await second.page.show(null);
  expect((await open()).typed()).toBe('');
});

test.each([
  ['an amendment', () => h(AmendForm, { shown, amendment: begun, onChanged: () => {} })],
  ['an audit', () => h(AuditForm, { shown, onSigned: () => {}, again: () => {} })],
])(
  'nothing is written into %s while it is being signed: it would be gone with the reply',
  async (_, form) => {
    audits.set('case', { ...emptyAudit('answer'), agreement: 'agree' });
    const page = openPage();
    const reply = Promise.withResolvers<object>();
    call.mockReturnValueOnce(reply.promise);
    await page.show(form());
    const isFixed = () => page.root.all('div').some(({ attributes }) => attributes.get('inert') === true);
    expect(isFixed()).toBe(false);
    await page.send('submit', 'form');
    expect(isFixed()).toBe(true);
    await act(async () => reply.resolve(ended));
    await vi.waitFor(() => expect(isFixed()).toBe(false));
    await page.show(null);
  },
);

test('an amendment is not signed while it states something that would not be stored', async () => {
  const treatments = [{ name: '', route: '', dosage_text: 'Twice a day', duration_text: '' }];
  const page = openPage();
  const amendment = { ...begun, draft: { ...begun.draft, treatments } };
  await page.show(h(AmendForm, { shown, amendment, onChanged: () => {} }));
  await page.send('submit', 'form');
  expect(call).not.toHaveBeenCalled();
  expect(page.root.text).toContain(deskEn.answer.problems.treatments);
  expect(page.focused.at(-1)?.text).toContain(deskEn.answer.problems.treatments);
  await page.show(null);
});

test('nothing is signed while a disease is typed that was not picked', async () => {
  const page = openPage();
  await page.show(h(AmendForm, { shown, amendment: begun, onChanged: () => {} }));
  fields.set('answer-diagnosis', { value: 'eczema' });
  await page.send('submit', 'form');
  expect(call).not.toHaveBeenCalled();
  expect(page.focused.at(-1)?.text).toContain(deskEn.answer.problems.unpicked);
  fields.clear();
  call.mockResolvedValueOnce(ended);
  await page.send('submit', 'form');
  await vi.waitUntil(() => call.mock.calls.length === 1);
  expect(page.root.text).not.toContain(deskEn.answer.problems.unpicked);
  await page.show(null);
});

test('no audit is signed while a disease is typed that was not picked', async () => {
  audits.set('case', { ...emptyAudit('answer'), agreement: 'major' });
  const page = openPage();
  await page.show(h(AuditForm, { shown, onSigned: () => {}, again: () => {} }));
  const focus = vi.fn();
  fields.set('audit-own-diagnosis', { value: 'melanoma', focus });
  await page.send('submit', 'form');
  expect(call).not.toHaveBeenCalled();
  expect(focus).toHaveBeenCalledOnce();
  expect(page.root.text).toContain(deskEn.audit.unpicked);
  fields.clear();
  call.mockResolvedValueOnce(ended);
  await page.send('submit', 'form');
  await vi.waitUntil(() => call.mock.calls.length === 1);
  expect(page.root.text).not.toContain(deskEn.audit.unpicked);
  await page.show(null);
});

test('why an answer was amended can be read beside it', async () => {
  const page = openPage();
  const amended = {
    ...answer,
    published_at: null,
    signed_at: '2026-11-27T04:00:00Z',
    amend_reason: 'The dose',
    contradiction_reasons: [],
    urgency_explanation: null,
    internal_note: null,
  };
  const reads = { answer: amended as unknown as DermatologistAnnotation, isNew: false, onChanged: () => {} };
  await page.show(h(SignedAnswer, { shown, ...reads }));
  expect(page.root.text).toContain(`${deskEn.answer.amendReason}: The dose`);
  await page.show(null);
});

const nothing = () => {};
const action = { before: async () => true, onChanged: nothing, onGone: nothing };
const refusedFor = (reason: string) => ({ ok: false, failure: { code: 'unexpected', reason, fields: {} } });

test.each<[string, string, string, object, (page: ReturnType<typeof openPage>) => Promise<void>]>([
  [
    'the taking of a case',
    'case_state_conflict',
    deskEn.problems.case_state_conflict,
    h(CaseActions, { ...action, shown: { ...shown, allowed_actions: ['claim'] } }),
    (page) => page.send('click', 'button', { text: deskEn.case.claim }),
  ],
  [
    'a hold',
    'version_conflict',
    deskEn.problems.version_conflict,
    h(HoldDialog, { ...action, shown, onDone: nothing, onClose: nothing }),
    (page) => page.send('submit', 'form'),
  ],
  [
    'the withdrawal of an answer',
    'annotation_published',
    deskEn.problems.annotation_published,
    h(SignedAnswer, {
      shown: { ...shown, allowed_actions: ['undo'], publish_at: '2099-01-01T00:00:00Z' },
      answer: {
        ...answer,
        published_at: null,
        amend_reason: null,
        contradiction_reasons: [],
        urgency_explanation: null,
        internal_note: null,
        signed_at: '2026-11-27',
      },
      isNew: false,
      onChanged: nothing,
    } as unknown as Parameters<typeof SignedAnswer>[0]),
    (page) => page.send('click', 'button', { text: deskEn.answer.undo }),
  ],
])('%s that comes too late shows the case as it is now: %s', async (_, reason, text, form, act) => {
  const page = openPage();
  await page.show(form);
  call.mockResolvedValueOnce({ ok: false, failure: { code: 'offline', fields: {} } });
  await act(page);
  await vi.waitFor(() => expect(page.root.text).toContain(en.problems.offline));
  call.mockResolvedValueOnce(refusedFor(reason));
  await act(page);
  await vi.waitFor(() => expect(page.root.text).toContain(text));
  await vi.waitFor(() => expect(read.again).toEqual([['case', 'case']]));
  await page.show(null);
});

test('once an answer can be withdrawn no longer, its case is read again', async () => {
  const show = async (until: number) => {
    const page = openPage();
    const moments = { publish_at: new Date(until).toISOString(), allowed_actions: ['undo'] };
    const signed = {
      ...answer,
      published_at: null,
      amend_reason: null,
      contradiction_reasons: [],
      urgency_explanation: null,
      internal_note: null,
    };
    await page.show(
      h(SignedAnswer, {
        shown: { ...shown, ...moments },
        answer: { ...signed, signed_at: '2026-11-27T04:00:00Z' } as unknown as DermatologistAnnotation,
        isNew: false,
        onChanged: nothing,
      }),
    );
    await page.show(null);
    return read.again;
  };
  expect(await show(Date.now() + 60_000)).toEqual([]);
  expect(await show(Date.now() - 2000)).toEqual([['case', 'case']]);
});

test('a case that is no longer in hand is read again: the page shows who has it, and whether it can be taken', async () => {
  const again = vi.fn();
  const state = signal<DraftKeeper['state']['value']>({ kind: 'dirty' });
  const keeper = { draft: signal(begun.draft), state, isSigning: signal(false), change() {}, tick() {} };
  const page = openPage();
  await page.show(
    h(AnswerForm, {
      shown,
      keeper: keeper as unknown as DraftKeeper,
      onSigned: nothing,
      onChanged: nothing,
      again,
    }),
  );
  expect(again).not.toHaveBeenCalled();
  await act(() => {
    state.value = { kind: 'lost', failure: { code: 'unexpected', reason: 'lease_lost', fields: {} } };
  });
  expect(again).toHaveBeenCalledOnce();
  await page.show(null);
});

test('a case that its patient has cancelled is shown as over, not as a colleague’s', async () => {
  const textOf = async (status: CaseDetail['status']) => {
    const page = openPage();
    const rest = { keeper: undefined, isNew: false, onSigned: nothing, onChanged: nothing, again: nothing };
    await page.show(h(AnswerPanel, { shown: { ...shown, status, annotations: [] }, ...rest }));
    const { text } = page.root;
    await page.show(null);
    return text;
  };
  expect(await textOf('cancelled')).toContain(deskEn.case.ended);
  expect(await textOf('in_review')).toContain(deskEn.case.readOnly);
});

test('the further part of an answer does not fold while its last entry is replaced: letters would be keys', async () => {
  const page = openPage();
  const isOpen = async (note: string) => {
    await page.show(h(FurtherFields, { draft: { ...begun.draft, internal_note: note }, change: nothing }));
    return page.root.all('details')[0]?.attributes.get('open') ?? false;
  };
  expect(await isOpen('')).toBe(false);
  expect(await isOpen('Seen by a colleague')).toBe(true);
  expect(await isOpen('')).toBe(true);
  await page.show(null);
});

test('the field for diagnoses stays when there are five: letters that are typed next would be keys', async () => {
  const page = openPage();
  const shownWith = async (count: number) => {
    const [diagnosis] = begun.draft.diagnoses as DiagnosisInput[];
    const diagnoses = Array.from({ length: count }, (_, at) => ({ ...diagnosis, text: `${at}` }));
    const draft = { ...begun.draft, diagnoses } as typeof begun.draft;
    await page.show(h(DiagnosisList, { draft, change: nothing }));
    const fields = page.root.all('p').filter(({ attributes }) => attributes.get('id') === 'answer-diagnosis');
    return [fields.length, page.root.text.includes(deskEn.answer.fiveDiagnoses)];
  };
  expect(await shownWith(4)).toEqual([1, false]);
  expect(await shownWith(5)).toEqual([1, true]);
  await page.show(null);
});

test('between two drafts everything that differs can be read, not the names alone', async () => {
  const { draft } = begun;
  const [psoriasis] = draft.diagnoses;
  const treatment = { name: 'Methotrexate', route: '', dosage_text: '1 mg', duration_text: '' };
  const mine = { ...draft, treatments: [treatment] };
  const theirs = {
    ...draft,
    language: 'he' as const,
    diagnoses: [{ ...psoriasis, certainty: 'excluded', is_primary: false } as DiagnosisInput],
    treatments: [{ ...treatment, dosage_text: '10 mg' }],
  };
  const page = openPage();
  await page.show(h(DraftDifferences, { mine, theirs }));
  const { answer: words } = deskEn;
  expect(page.root.all('dd').map(({ text }) => text.slice(text.indexOf(' ') + 1))).toEqual([
    'English',
    'עברית',
    `Psoriasis, psoriasis, ${words.certainty.probable}, ${words.primary}`,
    `Psoriasis, psoriasis, ${words.certainty.excluded}`,
    'Methotrexate, 1 mg',
    'Methotrexate, 10 mg',
  ]);
});

test('a case that could not be read stays in hand no longer than before, and the notice of its end says so', async () => {
  notices.value = [
    { id: 7, name: 'lease.expiring', data: { case_uuid: 'case', at: '2026-11-27T04:00:00Z' } },
  ];
  const page = openPage();
  await page.show(h(Notices, {}));
  call.mockResolvedValueOnce({ ok: false, failure: { code: 'offline', fields: {} } });
  const [button] = page.root.all('button');
  await page.send('click', 'button', { text: button?.text ?? '' });
  await vi.waitFor(() => expect(page.root.text).toContain(en.problems.offline));
});

test('more than two notices are dismissed by one press', async () => {
  const page = openPage();
  const assigned = (id: number) => ({
    id,
    name: 'case.assigned',
    data: { case_uuid: `${id}`, at: '2026-11-27' },
  });
  notices.value = [1, 2].map(assigned);
  await page.show(h(Notices, {}));
  expect(page.root.text).not.toContain(deskEn.dismissAll);
  await page.show(null);
  notices.value = [1, 2, 3].map(assigned);
  await page.show(h(Notices, {}));
  await page.send('click', 'button', { text: deskEn.dismissAll });
  expect(call).toHaveBeenCalledOnce();
  await page.show(null);
});

test('a template that another device has changed keeps what was entered, and can be saved over it', async () => {
  const template = { id: 3, name: 'Eczema', disease_id: null, bodies: { en: 'x' }, is_default: false };
  const page = openPage();
  const read = vi.fn();
  const done = vi.fn();
  const show = (version: number, name: string) =>
    page.show(
      h(TemplateForm, {
        template: { ...template, name, version } as Template,
        onDone: done,
        onConflict: read,
        onCancel: () => {},
      }),
    );
  const named = () => page.root.all('input').find(({ attributes }) => attributes.get('dir') === 'auto');
  await show(1, 'Eczema');
  await act(() => named()?.listeners.get('input')?.({ currentTarget: { value: 'Mine' } }));
  // Read again, as when the window gets the focus: what was entered is still about the version before.
  await show(2, 'Theirs');
  call.mockResolvedValueOnce({
    ok: false,
    failure: { code: 'version_conflict', reason: 'version_conflict', fields: {} },
  });
  await page.send('submit', 'form');
  await vi.waitUntil(() => page.root.all('button').some(({ text }) => text === staffEn.keepMine));
  expect(read).toHaveBeenCalledOnce();
  expect(call.mock.lastCall).toEqual([3, expect.objectContaining({ name: 'Mine', version: 1 })]);
  expect(named()?.attributes.get('value')).toBe('Mine');
  call.mockResolvedValueOnce({ ok: true, value: template });
  await page.send('click', 'button', { text: staffEn.keepMine });
  await vi.waitUntil(() => done.mock.calls.length === 1);
  expect(call.mock.lastCall).toEqual([3, expect.objectContaining({ name: 'Mine', version: 2 })]);
});

test('a template that is not saved yet is back after another page, and after the session has ended', async () => {
  const open = async () => {
    const page = openPage();
    await page.show(h(Templates, {}));
    return { page, body: () => page.root.all('textarea')[0]?.attributes.get('value') };
  };
  const first = await open();
  await first.page.send('click', 'button', { text: deskEn.mySettings.newTemplate });
  await first.page.send('input', 'textarea', { id: 'template-en', value: 'Use it twice a day.' });
  loseSession();
  await first.page.show(null);
  signIn('ann');
  const second = await open();
  expect(second.body()).toBe('Use it twice a day.');
  await second.page.send('click', 'button', { text: en.common.cancel });
  await second.page.send('click', 'button', { text: deskEn.mySettings.newTemplate });
  expect(second.body()).toBe('');
  await second.page.show(null);
});

test('a text of a template that is refused says why, where it stands', async () => {
  const template = { id: 4, name: 'Acne', version: 1, bodies: { en: 'x', he: '{{' } } as unknown as Template;
  const page = openPage();
  const done = () => {};
  await page.show(h(TemplateForm, { template, onDone: done, onConflict: done, onCancel: done }));
  const marked = () =>
    page.root
      .all('textarea')
      .flatMap(({ attributes: each }) => (each.get('aria-invalid') ? [each.get('id')] : []));
  call.mockResolvedValueOnce({
    ok: false,
    failure: {
      code: 'unexpected',
      reason: 'template_invalid',
      fields: { '/bodies/he': 'template_invalid' },
    },
  });
  await page.send('submit', 'form');
  await vi.waitUntil(() => marked().length > 0);
  expect(marked()).toEqual(['template-he']);
  expect(page.root.all('p').map(({ text }) => text)).toContain(deskEn.problems.template_invalid);
  for (const id of ['template-en', 'template-he']) await page.send('input', 'textarea', { id, value: ' ' });
  await page.send('submit', 'form');
  expect([marked(), call.mock.calls.length]).toEqual([['template-en'], 1]);
  await page.show(null);
});

test('a day that is no date is refused by its field, and not by an error that the page does not show', async () => {
  const days = async (form: object, choose?: string) => {
    const page = openPage();
    await page.show(form);
    const choice = page.root.all('label').find(({ text }) => text === choose);
    await act(() => choice?.all('input')[0]?.listeners.get('change')?.({}));
    await vi.waitUntil(() =>
      page.root.all('input').some(({ attributes }) => attributes.get('type') === 'date'),
    );
    const [day] = page.root.all('input').filter(({ attributes }) => attributes.get('type') === 'date');
    return [day?.attributes.get('min'), day?.attributes.get('max')];
  };
  const dayOf = (moment: Date) =>
    [moment.getFullYear(), moment.getMonth() + 1, moment.getDate()]
      .map((part) => String(part).padStart(2, '0'))
      .join('-');
  const done = () => {};
  const hold = h(HoldDialog, { shown, before: async () => true, onDone: done, onClose: done });
  // At nine o'clock of that day, and 90 days at most.
  const [, longest] = await days(hold, deskEn.pending.technical);
  const last = Date.parse(`${String(longest)}T09:00`);
  expect((last - Date.now()) / 86_400_000).toBeLessThan(90);
  expect((last - Date.now()) / 86_400_000).toBeGreaterThan(87.5);
  const profile = { vacation_mode: false } as PhysicianDetails;
  expect(await days(h(Vacation, { profile, onChanged: done }))).toEqual([dayOf(new Date()), '9999-12-31']);
});

test('the number of a case is read as it is searched for, without separators', async () => {
  const page = openPage();
  await page.show(h(CaseHead, { shown }));
  expect(page.root.text).toContain('Case \u206812345\u2069');
});

test('a desk with more cases than it lists leads to all of them', async () => {
  const linksWith = async (cursor: string | null) => {
    const page = openPage();
    read.now = { value: { items: [{ ...shown, status: 'on_hold' }], next_cursor: cursor } };
    await page.show(h(DeskHome, {}));
    const links = page.root.all('a').map(({ attributes }) => attributes.get('to'));
    await page.show(null);
    return links;
  };
  expect(await linksWith(null)).toEqual(['/cases/case']);
  expect(await linksWith('more')).toEqual(['/cases/case', '/search?scope=mine']);
});

test('a letter that is typed just when the search begins stays', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { FilterBar } = await vi.importActual<{ FilterBar: typeof Bar }>(
      '../../src/desk/search/filter-bar.tsx',
    );
    const nothing = () => {};
    const rest = { filters: {}, isAdmin: false, onChange: nothing, onClear: nothing };
    let clear = nothing;
    function Search() {
      const [text, setText] = useState('');
      clear = () => setText('');
      return h(FilterBar, { ...rest, text, onText: setText });
    }
    const page = openPage();
    await page.show(h(Search, {}));
    const [field] = page.root.all('input');
    const type = (value: string) =>
      field?.listeners.get('input')?.({ type: 'input', currentTarget: { value } });
    await act(() => type('Noo'));
    await act(() => {
      vi.advanceTimersByTime(1000);
      type('Noor');
    });
    expect(field?.attributes.get('value')).toBe('Noor');
    await act(() => void vi.advanceTimersByTime(1000));
    await act(() => clear());
    expect(field?.attributes.get('value')).toBe('');
    await page.show(null);
  } finally {
    vi.useRealTimers();
  }
});

test('the search is at the page where a case was opened, and at the first one of another search', async () => {
  read.now = { value: { items: [], next_cursor: 'second' } };
  const cursorsOf = async (work?: (page: ReturnType<typeof openPage>) => Promise<void>) => {
    const page = openPage();
    read.keys = [];
    await page.show(h(SearchPage, { isAdmin: false }));
    await work?.(page);
    await page.show(null);
    return read.keys.flatMap((key) => {
      const [about, , cursor] = key as unknown[];
      return about === 'search' ? [cursor] : [];
    });
  };
  const next = { text: deskEn.list.after };
  expect(await cursorsOf((page) => page.send('click', 'button', next))).toEqual([undefined, 'second']);
  expect(await cursorsOf()).toEqual(['second']);
  const filtered = await cursorsOf((page) =>
    act(() => void (address.value = new URLSearchParams('overdue=1'))).then(() => page.show(null)),
  );
  expect(filtered).toEqual(['second', undefined]);
  address.value = new URLSearchParams();
});

test('the beginning of a name shows what can be searched for, no failure and no case', async () => {
  read.now = { value: { items: [shown] }, failure: { code: 'validation_error', fields: {} } };
  unsentOf('search', '').value = 'a';
  const page = openPage();
  await page.show(h(SearchPage, { isAdmin: false }));
  expect(page.root.text).toContain(deskEn.filters.unfit.text);
  expect(page.root.text).not.toContain(en.problems.validation_error);
  expect(page.root.text).not.toContain(String(shown.id));
});

test('a template names its disease, and is not saved while another is typed and not picked', async () => {
  read.now = { value: { items: [{ id: 23, disease_id: 23, name: 'Acne vulgaris' }] } };
  const template = { id: 5, name: 'Acne', version: 1, disease_id: 23, bodies: { en: 'x' } } as Template;
  const page = openPage();
  const done = () => {};
  await page.show(h(TemplateForm, { template, onDone: done, onConflict: done, onCancel: done }));
  expect(page.root.text).toContain('Acne vulgaris');
  const focus = vi.fn();
  fields.set('template-disease', { value: 'psoriasis', focus });
  await page.send('submit', 'form');
  fields.delete('template-disease');
  expect(page.root.text).toContain(deskEn.mySettings.unpicked);
  expect(focus).toHaveBeenCalledOnce();
  expect(call).not.toHaveBeenCalled();
});
