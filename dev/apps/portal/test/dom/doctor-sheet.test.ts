import { h } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import type { Read } from '../../src/query/use-read.ts';
import type { DoctorSheetProps } from '../../src/patient/sheet/doctor-sheet.tsx';
import { en } from '../../src/i18n/en.ts';
import { openPage } from './fake-page.ts';

const reads = vi.hoisted(
  () => ({ labels: {}, flags: {} }) as Record<'labels' | 'flags', Partial<Read<object>>>,
);
vi.mock('../../src/query/use-read.ts', () => ({
  useRead: ([name]: string[]) => (name === 'sheet-flags' ? reads.flags : reads.labels),
}));
vi.mock('../../src/i18n/language.ts', () => import('./fake-language.ts'));
vi.mock('../../src/gateway/sheet-calls.ts', () => ({ readAnamnesisLabels: undefined }));
vi.mock('../../src/ui/link.tsx', () => ({ Link: 'a' }));
vi.mock('../../src/ui/page-title.tsx', () => ({ PageTitle: 'h1' }));
vi.mock('../../src/patient/photo/stored-photo.tsx', () => ({ StoredPhoto: 'img' }));
const { default: DoctorSheet } = await import('../../src/patient/sheet/doctor-sheet.tsx');

const labels = { fields: {}, labels: { en: {}, he: {}, ar: {}, es: {} } };
const sheet = { anamnesis: {}, name: 'Noa', ageYears: 34, date: new Date(0), source: 'x', back: '/' };

async function print(flags: Partial<Read<object>>, known?: DoctorSheetProps['known']) {
  reads.flags = flags;
  const page = openPage();
  await page.show(h(DoctorSheet, { ...sheet, known }));
  const button = page.root.all('button').at(-1);
  return { canPrint: button?.attributes.has('disabled') === false, text: page.root.text };
}

test('nothing is printed before the warning signs are known or could not be checked', async () => {
  reads.labels = { value: labels };
  expect(await print({})).toMatchObject({ canPrint: false });
  expect(await print({ value: { hasRedFlags: false, flags: [], urgency: 'low' } })).toMatchObject({
    canPrint: true,
  });
  const failed = await print({ failure: { code: 'offline', fields: {} }, again: () => {} });
  expect(failed.canPrint).toBe(true);
  expect(failed.text).toContain('Could not be checked.');
});

test('nothing is printed before the photos are on the paper, or cannot be', async () => {
  reads.labels = { value: labels };
  reads.flags = { value: { hasRedFlags: false, flags: [], urgency: 'low' } };
  const page = openPage();
  const images = [{ url: '/one' }, { url: '/two' }] as NonNullable<DoctorSheetProps['anamnesis']['images']>;
  await page.show(h(DoctorSheet, { ...sheet, anamnesis: { images } }));
  const canPrint = () => page.root.all('button').at(-1)?.attributes.has('disabled') === false;
  for (const photo of page.root.all('img')) {
    expect(canPrint()).toBe(false);
    await act(() => photo.listeners.get('settled')?.({ type: 'settled' }));
  }
  expect(canPrint()).toBe(true);
});

test('a warning sign that has only a code is on the paper', async () => {
  reads.labels = { value: labels };
  const { text } = await print({ value: { hasRedFlags: true, flags: ['sepsis'], urgency: 'emergency' } });
  expect(text).toContain('Emergency: A warning sign without a description.');
});

test('what the case has is on the paper, whether the check finds less or cannot be made', async () => {
  reads.labels = { value: labels };
  const flag = (code: string, urgency: 'medium' | 'high' | 'emergency') =>
    ({ code, text: `${code} ${urgency}.`, urgency, certainty: 'met' }) as const;
  const flags = (...flagDetails: ReturnType<typeof flag>[]) => ({
    hasRedFlags: flagDetails.length > 0,
    flags: flagDetails.map(({ code }) => code),
    urgency: flagDetails[0]?.urgency ?? ('low' as const),
    flagDetails,
  });
  const known = flags(flag('sepsis', 'emergency'));
  const less = await print({ value: flags(flag('sepsis', 'high'), flag('mole', 'medium')) }, known);
  expect(less.text).toMatch(/Emergency: sepsis emergency\..*mole medium\./);
  expect(less.text).not.toContain('sepsis high.');
  const none = await print({ value: flags() }, known);
  expect(none.text).toContain('Emergency: sepsis emergency.');
  expect(none.text).not.toContain(en.folder.doctor.noFlags);
  const failed = await print({ failure: { code: 'offline', fields: {} }, again: () => {} }, known);
  expect(failed.text).toMatch(/Could not be checked\..*Emergency: sepsis emergency\./);
});

test('the warning signs of these answers stay when another language of the sheet cannot be loaded', async () => {
  reads.labels = { value: labels };
  const page = openPage();
  const show = (flags: Partial<Read<object>>, source = 'x') => {
    reads.flags = flags;
    return page.show(h(DoctorSheet, { ...sheet, anamnesis: {}, source }));
  };
  const failed = { failure: { code: 'offline', fields: {} }, again: () => {} } as const;
  await show({ value: { hasRedFlags: true, flags: ['sepsis'], urgency: 'emergency' } });
  await show({});
  expect(page.root.all('button').at(-1)?.attributes.has('disabled')).toBe(true);
  await show(failed);
  expect(page.root.text).toContain('Emergency: A warning sign without a description.');
  await show(failed, 'other answers');
  expect(page.root.text).toContain('Could not be checked.');
  expect(page.root.text).not.toContain('Emergency:');
});

test.each([
  [{ ageYears: 34 }, 34, '34 years'],
  [{ ageYears: 1 }, 1, '1 year'],
  [{ ageYears: 0, ageMonths: 3 }, 0, '3 months'],
  [{}, undefined, undefined],
])(
  'of the answers %j the age on the paper is that of an adult, or of an infant in months',
  async (patient, ageYears, age) => {
    reads.labels = { value: labels };
    reads.flags = {};
    const page = openPage();
    await page.show(h(DoctorSheet, { ...sheet, anamnesis: { patient }, ageYears }));
    const about = page.root.all('p').find(({ attributes }) => attributes.get('class') === 'about');
    const parts = ['Noa', ...(age === undefined ? [] : [age])].map((part) => `\u2068${part}\u2069`);
    expect(about?.text).toBe(`Patient: ${parts.join(' · ')}`);
  },
);
