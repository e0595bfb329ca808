import { expect, test } from 'vitest';
import { fillText, isolated, loadMessages } from '../../../../src/domain/platform/texts/messages.ts';

const FSI = '\u2068';
const PDI = '\u2069';

test('the mark of a draft is told, and is no text', () => {
  const texts = loadMessages<{ a: string }>({
    en: { a: 'A' },
    he: { _machineDrafted: true, a: 'א' },
    ar: { _machineDrafted: false, a: 'ا' },
    es: { a: 'A' },
  });
  expect(texts.in('he')).toEqual({ a: 'א' });
  expect(texts.isMachineDrafted('he')).toBe(true);
  expect(texts.isMachineDrafted('ar')).toBe(false);
  expect(texts.isMachineDrafted('en')).toBe(false);
});

test.each([
  ['בתוך 72 שעות', `בתוך ${FSI}72${PDI} שעות`],
  ['חום של 38.5 °C.', `חום של ${FSI}38.5 °C${PDI}.`],
  ['בערך 1%, לא יותר', `בערך ${FSI}1%${PDI}, לא יותר`],
  ['קובץ JPEG או PNG', `קובץ ${FSI}JPEG${PDI} או ${FSI}PNG${PDI}`],
  ['מחלה: COVID-19.', `מחלה: ${FSI}COVID-19${PDI}.`],
  ['איפה? ({item})', 'איפה? ({item})'],
  ['בלי כלום', 'בלי כלום'],
])('in a right-to-left text, numbers and Latin letters keep their own order: %s', (text, shown) => {
  const file = { text, group: { text } };
  const texts = loadMessages({ en: file, he: file, ar: file, es: file });
  expect(texts.in('he')).toEqual({ text: shown, group: { text: shown } });
  expect(texts.in('ar').text).toBe(shown);
  expect(texts.in('es').text).toBe(text);
});

test('words of a person stay on their line and cannot turn the sentence around them', () => {
  expect(isolated(' Ibu\u202Eprofen\n400 \u2069')).toBe(`${FSI}Ibu profen 400${PDI}`);
});

test('a place without a value is left visible instead of vanishing', () => {
  expect(fillText('{a} and {b}', { a: '1' })).toBe('1 and {b}');
});
