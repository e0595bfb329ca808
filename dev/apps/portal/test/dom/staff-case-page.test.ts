import { h } from 'preact';
import { expect, test, vi } from 'vitest';
import type { CaseDetail, User } from '../../../../packages/client/src/index.ts';
import { en } from '../../src/desk/i18n/en.ts';
import { openPage } from './fake-page.ts';

const found = vi.hoisted((): { value: unknown; failure: unknown } => ({ value: {}, failure: undefined }));
vi.mock('../../src/session/session.ts', async () => ({
  ...(await import('./fake-session.ts')),
  beforeSignOut: () => {},
}));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/gateway/desk-calls.ts', () => ({}));
vi.mock('../../src/query/use-read.ts', () => ({
  useRead: () => ({ ...found, again: () => {} }),
  readAgain: () => {},
  setRead: () => {},
}));
vi.mock('../../src/session/route.ts', () => ({}));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
vi.mock('../../src/desk/keys/use-keys.ts', () => ({ useKeys: () => {} }));
vi.mock('../../src/desk/parts/lease.tsx', () => ({ LeaseTimer: 'time', useRenewal: () => {} }));
vi.mock('../../src/desk/parts/my-profile.ts', () => ({
  useMyProfile: () => ({ value: { capabilities: ['on_call'] } }),
  useMayAudit: () => false,
}));
vi.mock('../../src/desk/answer/answer-form.tsx', () => ({ AnswerForm: 'form' }));
vi.mock('../../src/desk/anamnesis/anamnesis.tsx', () => ({ Anamnesis: () => null }));
vi.mock('../../src/desk/photos/case-photos.tsx', () => ({ CasePhotos: () => null }));
vi.mock('../../src/desk/case/ai-findings.tsx', () => ({ AiFindings: () => null }));
vi.mock('../../src/desk/case/messages.tsx', () => ({ Messages: () => null }));
vi.mock('../../src/desk/case/patient-history.tsx', () => ({ PatientHistory: () => null }));
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('removeEventListener', () => {});
const { CasePage } = await import('../../src/desk/case/case-page.tsx');

const shown = {
  uuid: 'case',
  id: 7,
  version: 1,
  language: 'en',
  status: 'in_review',
  pending_status: null,
  patient: { display_name: 'Noa', age_years: 5, gender: null, relation: 'child' },
  anamnesis: {},
  annotations: [],
  flag_details: [],
  analysis: null,
  batch_uuid: null,
  triage_level: null,
  urgency: null,
  due_at: null,
  lease_expires_at: '2099-01-01T00:00:00Z',
  assigned_physician: null,
  audit_state: 'none',
  allowed_actions: ['annotate', 'hold', 'release'],
} as unknown as CaseDetail;
const user = { uuid: 'ann', role: 'physician' } as User;
const hidden = { code: 'unexpected', reason: 'case_not_found', fields: {} };

test('a case that was in hand and is hidden now offers nothing but to take it, and what was written stays', async () => {
  const page = openPage();
  const show = () => page.show(h(CasePage, { uuid: 'case', user }));
  const buttons = () => page.root.all('button').map(({ text }) => text);
  Object.assign(found, { value: shown, failure: undefined });
  await show();
  await show();
  expect(buttons()).toEqual(expect.arrayContaining([en.case.hold, en.case.release]));
  found.failure = { code: 'offline', fields: {} };
  await show();
  expect(buttons()).toEqual(expect.arrayContaining([en.case.hold, en.case.release]));
  found.failure = hidden;
  await show();
  expect(page.root.text).toContain(en.case.gone);
  expect(buttons()).toContain(en.case.claim);
  expect(buttons()).not.toContain(en.case.release);
  expect(page.root.all('form')).toHaveLength(1);
});
