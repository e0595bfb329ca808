import { expect, test } from 'vitest';
import type { PartialAnamnesis } from '../../../packages/client/src/index.ts';
import { shippedDocuments } from '../../../../src/domain/catalogue/resources/shipped-documents.ts';
import type { AnamnesisLabels } from '../src/gateway/anamnesis-labels.ts';
import { dictionaries, languages } from '../src/i18n/texts.ts';
import { sheetDictionaries } from '../src/patient/sheet/i18n/texts.ts';
import { flagLines, initialsOf, sheetFacts } from '../src/patient/sheet/sheet-facts.ts';
import { nameOfPatient } from '../src/patient/sheet/sheet-name.ts';

const labels = JSON.parse(shippedDocuments['anamnesis-labels.json']()) as AnamnesisLabels;

const anamnesis: PartialAnamnesis = {
  reporter: 'self',
  patient: { ageYears: 34, gender: 'female' },
  complaint: { category: 'rash', duration: 'three_to_twelve_months', description: 'Itchy.' },
  locations: [{ primary: 'head_neck', side: 'left' }],
  symptoms: { local: ['itching'], itchSeverity: 7 },
  history: { medicalConditions: [] },
  medications: [{ name: 'Cream', stillTaking: true }],
};

test.each(languages)('in %s every answer is in words, and what was not answered is left out', (language) => {
  const facts = sheetFacts(anamnesis, labels, language);
  const shown = JSON.stringify(facts);
  for (const code of ['three_to_twelve_months', 'head_neck', 'complaint.', 'stillTaking'])
    expect(facts.complaint.map(({ value }) => value).join()).not.toContain(code);
  expect(facts.complaint.map(({ field }) => field)).toEqual([
    'complaint.category',
    'complaint.duration',
    'complaint.description',
    'locations',
    'symptoms.local',
    'symptoms.itchSeverity',
  ]);
  expect(facts.history).toEqual([]);
  expect(facts.medicines).toEqual(['\u2068Cream\u2069']);
  expect(shown).toContain('Itchy.');
  expect(facts.person.map(({ field }) => field)).toEqual(['patient.gender', 'reporter']);
});

test('every field of an anamnesis that has choices has a name on the page', () => {
  const named = new Set(Object.keys(sheetDictionaries.en));
  const shown = Object.keys(labels.fields).filter((path) =>
    /^(?:reporter|patient|complaint|lesion|symptoms|history|exposures)\b/.test(path),
  );
  expect(shown.length).toBeGreaterThan(30);
  expect(shown.filter((path) => !named.has(path) && !path.startsWith('patient.age'))).toEqual([]);
});

test.each(languages)('in %s a medicine that was stopped is called so', (language) => {
  const medications = [{ name: 'Cream', stillTaking: false }];
  const { stopped } = sheetDictionaries[language];
  expect(sheetFacts({ medications }, labels, language).medicines).toEqual([`\u2068Cream\u2069 (${stopped})`]);
});

test('no medicine and no answer about medicines are not the same', () => {
  expect(sheetFacts({ medications: [] }, labels, 'en').medicines).toEqual([sheetDictionaries.en.noMedicines]);
  expect(sheetFacts({}, labels, 'en').medicines).toEqual([]);
});

test.each([
  ['Noa Levi', 'N. L.'],
  ['נועה לוי', 'נ. ל.'],
  ['  ana   maría ', 'A. M.'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test.each(languages)(
  'in %s a flag without a text has a line, and its urgency where no other flag has it',
  (language) => {
    const { result } = dictionaries[language];
    const mole = { code: 'mole', text: 'x', urgency: 'medium', certainty: 'met' } as const;
    const unnamed = `${result.unnamedFlag} (\u2068sepsis\u2069)`;
    const named = { urgency: result.urgency.medium, text: 'x' };
    const flags = { hasRedFlags: true, flags: ['sepsis'] };
    const urgent = { urgency: result.urgency.high, text: unnamed };
    expect(flagLines({ ...flags, urgency: 'high' }, language)).toEqual([urgent]);
    const both = { ...flags, flags: ['mole', 'sepsis'], flagDetails: [mole] };
    expect(flagLines({ ...both, urgency: 'high' }, language)).toEqual([urgent, named]);
    const second = { urgency: undefined, text: unnamed };
    expect(flagLines({ ...both, urgency: 'medium' }, language)).toEqual([named, second]);
    expect(flagLines({ ...both, flags: ['mole'], urgency: 'medium' }, language)).toEqual([named]);
    const nameless = { urgency: result.urgency.low, text: result.unnamedFlag };
    expect(flagLines({ hasRedFlags: true, flags: [], urgency: 'low' }, language)).toEqual([nameless]);
  },
);

test('on paper a person without a name is not called by the number that stands for one', () => {
  const patient = { uuid: 'ann', display_name: 'Patient 3' };
  const profile = { uuid: 'ann', given_name: null, family_name: null };
  expect(nameOfPatient(patient, [profile])).toBeUndefined();
  expect(nameOfPatient(patient, [{ ...profile, given_name: 'Ann' }])).toBe('Ann');
  expect(nameOfPatient({ ...patient, display_name: 'Ben' }, [])).toBe('Ben');
});
