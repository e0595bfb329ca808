import { expect, test } from 'vitest';
import { type DemoUser, demoUsers, seedDemo } from '../../../src/cli/seed.ts';
import { placeOf, places } from '../../../src/domain/cases/record/case-status.ts';
import { tenantRows } from '../../../test/support/accounts.ts';
import { testApp } from '../../../test/support/app.ts';
import { clientOf } from '../../../test/support/client.ts';
import { seedCases } from './cases.ts';

interface Row extends Record<string, unknown> {
  status: string;
  pending_status: string | null;
}

const app = await testApp({ ai: 'real', alone: true });
const rows = () => tenantRows<Row>(app, 'SELECT * FROM request_records ORDER BY id');
const userOf = (wanted: DemoUser['role']) => demoUsers.find(({ role }) => role === wanted) as DemoUser;
const people = { patient: userOf('patient'), physician: userOf('physician') };
const { email, password } = people.patient;

// Fourteen submissions take longer than a test usually may.
test(
  'demo cases stand wherever a case can, moved by the system with events; a second start adds none',
  { timeout: 120_000 },
  async () => {
    await seedDemo(app.databaseUrl, app.env);
    const count = await seedCases(app.url, app.databaseUrl, people);
    const cases = await rows();
    expect(cases).toHaveLength(count);
    expect(cases.map(placeOf).toSorted()).toEqual(expect.arrayContaining(places.toSorted()));

    const events = await tenantRows<{ action: string; actor_kind: string }>(
      app,
      `SELECT action, actor_kind FROM event_logs WHERE request_id = 'seedCases' AND case_uuid IS NOT NULL`,
    );
    expect(new Set(events.map(({ actor_kind: kind }) => kind))).toEqual(new Set(['system']));
    expect(events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['case_taken', 'case_on_hold', 'case_closed', 'case_expired']),
    );

    await seedCases(app.url, app.databaseUrl, people);
    expect(await rows()).toEqual(cases);
  },
);

test('the closed one has an answer that its patient reads, the answered one does not show it yet', async () => {
  const api = clientOf(app);
  await api.session.logIn({ email, password });
  const { items } = await api.cases.list({ limit: 100 });
  const readable = await Promise.all(
    items.map(async ({ uuid, patient_status: status }) => {
      const shown = await api.cases.annotations(uuid);
      return { status, isThere: JSON.stringify(shown).includes('It is not contagious.') };
    }),
  );
  expect(readable.filter(({ isThere }) => isThere)).toEqual([{ status: 'answered', isThere: true }]);
  expect(readable.filter(({ status }) => status === 'in_review').length).toBeGreaterThan(1);
});

test('a summary of the list is the list without answers, photos and predictions', async () => {
  const api = clientOf(app);
  await api.session.logIn({ email, password });
  const full = await api.cases.list({ limit: 100 });
  const summary = await api.cases.list({ limit: 100, view: 'summary' });
  expect(full.items.every(({ anamnesis, images }) => anamnesis !== undefined && images !== undefined)).toBe(
    true,
  );
  expect(summary.items).toEqual(
    full.items.map(
      ({ anamnesis: _anamnesis, images: _images, predictions: _predictions, ...shown }) => shown,
    ),
  );
});

test('no timer moves them, and their patient can still send a case', async () => {
  const before = await rows();
  for (const timer of [
    'retryAnalyses',
    'retryEligibility',
    'remindAndExpire',
    'publishAnswers',
    'returnLeases',
  ])
    await app.runTimer(timer);
  expect(await rows()).toEqual(before);

  const api = clientOf(app);
  await api.session.logIn({ email, password });
  const known = await api.cases.list({ limit: 100 });
  const found = known.items.find(({ patient_status: status }) => status === 'waiting');
  if (found === undefined) throw new Error('no demo case waits');
  const waiting = await api.cases.get(found.uuid);
  const { images: _, ...anamnesis } = waiting.anamnesis;
  const consent = await api.config.parameters('legal', 'consent');
  const made = await api.cases.create({
    // With the same complaint it would be a duplicate.
    anamnesis: { ...anamnesis, complaint: { ...anamnesis.complaint, category: 'growth_or_mole' } },
    patient_uuid: waiting.patient.uuid,
    images: waiting.images.map(({ name }) => ({ name })),
    consent: { version: String(consent.parameters['version']), accepted: true },
    submit: true,
  });
  expect(made.patient_status).toBe('waiting');
});
