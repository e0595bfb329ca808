import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import type { ConsentText } from '../../src/gateway/case-calls.ts';
import { emergencyNumber } from '../../src/gateway/help-lines.ts';
import { en } from '../../src/i18n/en.ts';
import type * as consentBox from '../../src/patient/cases/consent-box.tsx';
import { saveDrafts } from '../../src/patient/draft/draft-saver.ts';
import { emptyIntake, type Step } from '../../src/patient/intake/intake.ts';
import { openIntake } from '../../src/patient/intake/intake-session.ts';
import { openPage } from './fake-page.ts';

const calls = vi.hoisted(() => ({
  createCase: vi.fn<(body: object) => Promise<object>>(),
  updateCase: vi.fn<() => Promise<object>>(),
  readCase: vi.fn<() => Promise<object>>(),
  profiles: [{ uuid: 'me', relation: 'self', display_name: 'Ann', age_years: 40 }],
}));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/session/route.ts', () => ({ go: () => {} }));
vi.mock('../../src/session/session.ts', () => import('./fake-session.ts'));
vi.mock('../../src/gateway/case-calls.ts', () => ({ ...calls, readConsent: undefined }));
vi.mock('../../src/patient/cases/own-cases.ts', () => ({ noteCase: () => {} }));
vi.mock('../../src/account/people/add-person.tsx', () => ({ AddPerson: () => null }));
vi.mock('../../src/patient/cases/consent-box.tsx', () => ({
  ConsentBox: ({ onChange }: { onChange: (yes: boolean) => void }) =>
    h('button', { onClick: () => onChange(true) }, 'agree'),
}));
vi.mock('../../src/query/use-loaded.ts', () => ({
  useLoaded: () => ({ outcome: { ok: true, value: { profiles: calls.profiles, version: '1', text: '' } } }),
}));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
const { SendCasePage } = await import('../../src/patient/pages/send-case.tsx');
const { draftSaver } = await import('../../src/patient/draft/current-draft.ts');

const reporter: Step = { questionId: 'q_who', questionType: 'radio', fieldName: 'reporter', answer: 'self' };

test('answers whose draft was cancelled elsewhere can be sent after all, as a case of their own', async () => {
  const intake = openIntake(
    {
      ...emptyIntake,
      steps: [reporter],
      case: { clientId: 'mine', uuid: 'case', version: 1, stored: true },
    },
    {
      askNextQuestion: () => new Promise(() => {}),
      findRedFlags: () => new Promise(() => {}),
      save: () => {},
    },
  );
  const saver = saveDrafts(intake, {
    ...calls,
    listProfiles: vi.fn(),
    language: () => 'en',
    onStored: () => {},
  } as unknown as Parameters<typeof saveDrafts>[1]);
  draftSaver.value = saver;
  const refused = { ok: false, failure: { code: 'case_state_conflict', fields: {} } };
  const cancelled = { uuid: 'case', version: 2, patient_status: 'cancelled', anamnesis: {}, images: [] };
  calls.updateCase.mockResolvedValue(refused);
  calls.readCase.mockResolvedValue({ ok: true, value: { ...cancelled, submitted_at: null, updated_at: 0 } });
  calls.createCase.mockResolvedValue({ ok: true, value: { uuid: 'own', version: 1 } });
  const page = openPage();
  const buttons = () => page.root.all('button').map(({ text }) => text);

  emergencyNumber.value = '112';
  await page.show(h(SendCasePage, { intake }));
  // A patient who was asked to call may not have done so yet.
  expect(page.root.text).toContain(en.home.emergency);
  expect(page.root.all('a').map(({ text }) => text)).toContainEqual(expect.stringContaining('112'));
  await page.send('click', 'button', { text: 'agree' });
  await page.send('submit', 'form');
  await vi.waitUntil(() => page.root.text.includes(en.folder.conflictSent));
  expect(buttons()).not.toContain(en.cases.send);

  await page.send('click', 'button', { text: en.folder.conflictKeep });
  await vi.waitUntil(() => buttons().includes(en.cases.send));
  await vi.waitUntil(() => intake.intake.value.case?.uuid === 'own');
  expect(calls.createCase.mock.lastCall?.[0]).toMatchObject({ anamnesis: { reporter: 'self' } });
  expect(page.root.text).not.toContain(en.problems.case_state_conflict);
  await saver.stop();
  draftSaver.value = undefined;
  await page.show(null);
});

test('the text of the consent is the only region with its name', async () => {
  const { ConsentBox } = await vi.importActual<typeof consentBox>('../../src/patient/cases/consent-box.tsx');
  const page = openPage();
  const consent = { version: '1', text: 'I agree.' } as ConsentText;
  await page.show(h(ConsentBox, { consent, accepted: false, onChange: () => {}, error: undefined }));
  const named = ['section', 'div']
    .flatMap((name) => page.root.all(name))
    .filter(({ attributes }) => attributes.get('aria-labelledby') === 'consent');
  expect(named.map(({ text }) => text)).toEqual(['I agree.']);
});
