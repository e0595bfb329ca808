import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Language } from '../../../../src/contract/language.ts';
import { Problem } from '../../../../src/contract/problem.ts';
import type { DiagnosisStatement } from '../../../../src/domain/answers/annotations/diagnosis-statement.schemas.ts';
import type { AnswerData } from '../../../../src/domain/answers/templates/answer-data.ts';
import { flagWords } from '../../../../src/domain/answers/templates/answer-data.queries.ts';
import { missingNames, readTemplate } from '../../../../src/domain/answers/templates/answer-template.ts';
import { checkTemplate } from '../../../../src/domain/answers/templates/check-template.ts';
import { composeText } from '../../../../src/domain/answers/templates/compose-text.ts';
import { defaultAnswer, defaultDiagnoses } from '../../../../src/domain/answers/templates/default-text.ts';
import { diagnosesIn } from '../../../../src/domain/answers/templates/diagnosis-data.ts';
import { fullData } from '../../../../src/domain/answers/templates/full-data.ts';
import { placeholders } from '../../../../src/domain/answers/templates/placeholders.ts';
import { readBlocks, writeBlocks } from '../../../../src/domain/answers/templates/text-blocks.ts';
import { flagText } from '../../../../src/domain/intake/red-flags/flag-text.ts';
import { propertyRuns } from '../../../support/property-runs.ts';

// The text of an answer, from what a physician has stated to what a patient reads.

const FSI = '\u2068';
const PDI = '\u2069';
const bare = (text: string) => text.replaceAll(/[\u2068\u2069]/g, '');

const data: AnswerData = {
  ...fullData,
  diagnoses: [
    {
      name: 'Atopic eczema',
      code: 'L20.9',
      certainty: 'probable',
      certainty_code: 'probable',
      is_primary: true,
    },
    { name: 'Scabies', code: 'B86', certainty: 'ruled out', certainty_code: 'excluded', is_primary: false },
  ],
  treatments: [
    { name: 'Hydrocortisone 1%', route: 'on the skin', dosage: 'twice a day', duration: '7–10 days' },
    { name: 'Sun cream', route: null, dosage: null, duration: null },
  ],
  patient_message: 'It looks well.\n\n- Wash twice.\n- No sun.',
};

test('without a template, what to do comes first, and the physician signs at the end', () => {
  const { text, blocks, missing } = composeText(data, 'en', { blocks: defaultAnswer(data, 'en') });
  expect(text).toBe(`Make a regular appointment with a doctor.

Keep the skin moist.

Diagnosis: Atopic eczema, L20.9, probable

Ruled out:

- Scabies, B86

Severity: mild

Treatment:

- Hydrocortisone 1%: on the skin, twice a day, 7–10 days
- Sun cream

Follow-up: 7 December 2026, in person

Referral: Dermatologist, within two weeks
For a closer look.

It looks well.
– Wash twice.
– No sun.

Dr. Noor Example
Skin clinic
Example clinic, 23 November 2026`);
  expect(missing).toEqual([]);
  expect(readBlocks(text)).toEqual(blocks);
});

test('what was not stated is not mentioned', () => {
  const nothing: AnswerData = {
    ...data,
    diagnoses: [],
    severity: null,
    action: { text: null, code: null },
    recommendation_text: null,
    patient_message: null,
    treatments: [],
    follow_up: { in_days: null, on: null, how: null },
    referral: { type: null, urgency: null, text: null },
    physician: { display_name: null, employee_id: null, signature: null },
  };
  expect(writeBlocks(defaultAnswer(nothing, 'es'))).toBe('Example clinic, 23 de noviembre de 2026');
});

test.each([
  [
    'he',
    'נטילת Amoxicillin 500 mg כל 6-8 שעות, 7–10 ימים',
    `${FSI}נטילת ${FSI}Amoxicillin 500 mg${PDI} כל ${FSI}6-8${PDI} שעות, ${FSI}7–10${PDI} ימים${PDI}`,
    `${FSI}23${PDI} בנובמבר ${FSI}2026${PDI}`,
  ],
  [
    'ar',
    'Amoxicillin 500 mg كل 6-8 ساعات حتى 7/12/2026',
    `${FSI}${FSI}Amoxicillin 500 mg${PDI} كل ${FSI}6-8${PDI} ساعات حتى ${FSI}7/12/2026${PDI}${PDI}`,
    `${FSI}23${PDI} نوفمبر ${FSI}2026${PDI}`,
  ],
] as const)('numbers, dates, codes and drugs keep their order in %s', (language, dosage, shown, day) => {
  const [treatment] = data.treatments;
  const stated: AnswerData = {
    ...data,
    treatments: [{ ...(treatment as AnswerData['treatments'][0]), dosage }],
  };
  const text = writeBlocks(defaultAnswer(stated, language));
  expect(text).toContain(shown);
  expect(text).toContain(day);
  expect(text).toContain(`${FSI}Atopic eczema${PDI}`);
  expect(text).toContain(`${FSI}L20.9${PDI}`);
  expect(text.split(FSI)).toHaveLength(text.split(PDI).length);
  // A template says the same: its own words are marked as well.
  const template = readTemplate('({{ diagnosis.code }}) 7-10 {{ today | date }}', language);
  expect(template.render(data)).toBe(`(${FSI}L20.9${PDI}) ${FSI}7-10${PDI} ${FSI}${day}${PDI}`);
});

test('in left-to-right languages only words of another direction are marked', () => {
  const stated = { ...data, patient_message: 'שלום 7-10', recommendation_text: '7-10 days' };
  const text = writeBlocks(defaultAnswer(stated, 'es'));
  expect(text).toContain(`${FSI}שלום ${FSI}7-10${PDI}${PDI}`);
  expect(text).toContain('\n7-10 days\n');
});

test('days, lists and numbers are written as each language has them', () => {
  const body = '{{ today | date }}; {{ diagnoses | list }}; {{ follow_up.in_days | times: 1000.5 | number }}';
  const said = Language.options.map((language) => bare(readTemplate(body, language).render(data)));
  expect(said).toEqual([
    '23 November 2026; Atopic eczema and Scabies; 14,007',
    '23 בנובמבר 2026; Atopic eczema ו-Scabies; 14,007',
    '23 نوفمبر 2026; Atopic eczema وScabies; 14,007',
    '23 de noviembre de 2026; Atopic eczema y Scabies; 14.007',
  ]);
});

test('diagnoses are named by the catalogue or as they were written, with codes that people know', () => {
  const names = { en: 'Atopic dermatitis (eczema)', he: 'אטופיק דרמטיטיס' };
  const diseases = new Map([[1, { id: 1, slug: 'atopic_dermatitis', icd10: 'L20.9', names }]]);
  const stated = {
    disease_id: 1,
    code: 'atopic_dermatitis',
    code_system: 'dermagate',
    text: 'Eczema of the elbow',
    certainty: 'confirmed',
    is_primary: true,
  } as const;
  const shown = (language: Language, from?: 'catalogue' | 'written', given: DiagnosisStatement = stated) =>
    bare(
      writeBlocks(
        defaultDiagnoses(
          { ...data, ...diagnosesIn(language, [given], diseases, from) },
          language,
          'clinical',
        ),
      ),
    );
  expect(shown('en')).toBe('- Eczema of the elbow, L20.9, confirmed, main diagnosis');
  expect(shown('he', 'catalogue')).toBe('- אטופיק דרמטיטיס, L20.9, ודאית, אבחנה עיקרית');
  // The catalogue has no Arabic name of it.
  expect(shown('ar', 'catalogue')).toBe('- Eczema of the elbow، L20.9، مؤكد، التشخيص الرئيسي');
  // Chosen by its English name, so not written.
  const chosen = { ...stated, text: names.en };
  expect(shown('he', 'written', chosen)).toBe('- אטופיק דרמטיטיס, L20.9, ודאית, אבחנה עיקרית');
  expect(shown('ar', 'written', chosen)).toContain(names.en);
});

test('the same facts give the same text', () => {
  for (const language of Language.options) {
    const once = () => composeText(data, language, { blocks: defaultAnswer(data, language) }).text;
    expect(once()).toBe(once());
  }
});

test('a placeholder without a value is named, also one that some items of a list lack', () => {
  const template = readTemplate(
    '{{ severity }}{{ case.location }}{% for t in treatments %}{{ t.name }}{{ t.route }}{% endfor %}{{ red_flags | list }}',
    'en',
  );
  expect(missingNames(template, { ...data, case: { ...data.case, location: null }, red_flags: [] })).toEqual([
    'case.location',
    'red_flags',
    'treatments[].route',
  ]);
});

test('every placeholder exists in the data, and the other way round', () => {
  const namesOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return [namesOf(value[0])];
    if (typeof value !== 'object' || value === null) return 'value';
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, namesOf(member)]));
  };
  expect(namesOf(fullData)).toEqual(placeholders);
});

test('a template that becomes too long for these data is refused when it is used', () => {
  const body = '{{ patient_message }}'.repeat(15);
  const long = { ...data, patient_message: 'x'.repeat(4000) };
  expect(() => composeText(long, 'en', { body })).toThrow(Problem);
  expect(composeText(data, 'en', { body }).text.length).toBeLessThan(1000);
});

test('all faults of all languages are named at once, those of reading before unknown names', async () => {
  const bodies = { en: 'x\n{% include "y" %}', he: '{{ nickname }}', es: '{{ nickname | shout }}' };
  await expect(checkTemplate(bodies)).rejects.toMatchObject({
    code: 'template_invalid',
    errors: [
      { pointer: '/bodies/en', message: 'Line 2, column 1: There is no tag include.' },
      { pointer: '/bodies/es', message: 'Line 1, column 1: There is no filter shout.' },
    ],
  });
  await expect(checkTemplate({ he: '\n {{ nickname }}' })).rejects.toMatchObject({
    code: 'template_placeholder_unknown',
    errors: [{ pointer: '/bodies/he', message: 'Line 2, column 5: There is no placeholder nickname.' }],
  });
  expect(await checkTemplate({ en: '{{ severity }}', he: '{{ today }}{{ severity }}' })).toEqual([
    'severity',
    'today',
  ]);
});

/** What a person could type or paste to get out of a place: notations, markup, line breaks, direction marks, bullets. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '{{ today }}',
        '{% raw %}',
        '{%',
        '}}',
        '<script>alert(1)</script>',
        '#read("/etc/passwd")',
      ),
      fc.constantFrom(
        '\n',
        '\n\n',
        '\r\n- ',
        '\u2028',
        '\u2029- ',
        '\n-\t',
        '- ',
        '-',
        ' ',
        '\u0000',
        '\u0085',
      ),
      fc.constantFrom('\u202E', '\u2066', '\u2067', '\u2068', '\u2069', '\u200F', '\u061C', '\u202C'),
      fc.constantFrom(
        '7-10',
        'L20.9',
        'Ibuprofen 400 mg',
        'שלום',
        'مرحبا',
        '$&',
        '$1',
        '{name}',
        '\\n',
        '&lt;',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .chain((parts) => fc.constantFrom(`x${parts.join('')}`, `${parts.join('')}x`));

const body = `Dear {{ patient.display_name }},

{{ diagnosis.name }}: {{ patient_message }}

- {{ patient_message }}
- {{ physician.signature }}{{ patient_message }}
{% for t in treatments %}
- {{ t.name }} ({{ t.dosage }})
{% endfor %}
{{ diagnoses | list }} {{ recommendation_text }}`;

test('what people write never changes the structure of a text, whatever it is', () => {
  fc.assert(
    fc.property(hostile, fc.constantFrom(...Language.options), (words, language) => {
      const filled = (text: string): AnswerData => ({
        ...data,
        patient: { ...data.patient, display_name: text },
        diagnosis: { name: text, code: text, certainty: text, certainty_code: 'probable' },
        diagnoses: [
          { name: text, code: text, certainty: text, certainty_code: 'probable', is_primary: true },
        ],
        recommendation_text: text,
        patient_message: text,
        treatments: [{ name: text, route: text, dosage: text, duration: text }],
        follow_up: { in_days: 3, on: '2026-11-26', how: text },
        referral: { type: text, urgency: text, text },
        physician: { display_name: text, employee_id: '7', signature: text },
      });
      for (const source of [
        (of: AnswerData) => ({ blocks: defaultAnswer(of, language) }),
        (of: AnswerData) => ({ blocks: defaultDiagnoses(of, language, 'clinical') }),
        () => ({ body }),
      ]) {
        const shown = composeText(filled(words), language, source(filled(words)));
        const plain = composeText(filled('xx'), language, source(filled('xx')));
        const kinds = ({ blocks }: { blocks: readonly { kind: string }[] }) => blocks.map(({ kind }) => kind);
        expect(kinds(shown)).toEqual(kinds(plain));
        // Whoever reads the text finds the same parts again: it is stored as a text alone.
        expect(readBlocks(shown.text)).toEqual(shown.blocks);
        expect(shown.text).not.toMatch(/[\u202A-\u202E\u2066\u2067\u200E\u200F\u061C\u2028\u2029\0]/);
        for (const line of shown.text.split('\n')) {
          let depth = 0;
          for (const character of line) {
            depth += character === FSI ? 1 : character === PDI ? -1 : 0;
            expect(depth).toBeGreaterThanOrEqual(0);
          }
          expect(depth).toBe(0);
        }
      }
    }),
    { numRuns: propertyRuns(60) },
  );
});

test('notations of other languages come out as they were written', () => {
  const words = '{{ today }} <script>alert(1)</script> #read("/etc/passwd") {% raw %} $& &lt;';
  const stated = { ...data, patient_message: words };
  for (const language of Language.options) {
    expect(writeBlocks(defaultAnswer(stated, language))).toContain(words);
    expect(readTemplate('A: {{ patient_message }}', language).render(stated)).toContain(words);
  }
});

test.each(Language.options)('red flags stand in a text in words, never as codes, in %s', (language) => {
  const codes = ['possible_sepsis', 'pemphigus_suspected', 'lymphoma_suspected'];
  const texts = [flagText('possible_sepsis', language), flagText('urgent_by_ai', language)];
  expect(flagWords(codes, language)).toEqual(texts.map((text) => ({ text })));
});
