import { expect, test } from 'vitest';
import { ageInMonths, ageInYears } from '../../../../src/domain/identity/patients/age.ts';
import { checkBirthDate } from '../../../../src/domain/identity/patients/check-birth-date.ts';

const at = (text: string) => new Date(text);

test.each([
  ['2019-04-30', '2026-04-29T23:59:59.999Z', 6, 83],
  ['2019-04-30', '2026-04-30T00:00:00Z', 7, 84],
  ['2019-04-30', '2019-04-30T00:00:00Z', 0, 0],
  ['2019-04-30', '2019-05-29T23:59:59Z', 0, 0],
  ['2019-04-30', '2019-05-30T00:00:00Z', 0, 1],
  ['2019-01-31', '2019-02-28T12:00:00Z', 0, 0],
  ['2019-01-31', '2019-03-01T00:00:00Z', 0, 1],
  ['2008-02-29', '2026-02-28T23:59:59.999Z', 17, 215],
  ['2008-02-29', '2026-03-01T00:00:00Z', 18, 216],
  ['2008-02-29', '2024-02-29T00:00:00Z', 16, 192],
  ['2007-12-31', '2025-12-30T23:59:59Z', 17, 215],
  ['2007-12-31', '2025-12-31T00:00:00Z', 18, 216],
  ['1900-01-01', '2026-11-23T00:00:00Z', 126, 1522],
])('who was born on %s is at %s %i years or %i months old', (birthDate, now, years, months) => {
  expect([ageInYears(birthDate, at(now)), ageInMonths(birthDate, at(now))]).toEqual([years, months]);
});

test('the day is that of UTC, in any time zone of the process or of the text', () => {
  const midnightInTokyo = at('2026-04-30T00:00:00+09:00');
  expect(ageInYears('2019-04-30', midnightInTokyo)).toBe(6);
  const eveningInLima = at('2026-04-29T19:00:00-05:00');
  expect(ageInYears('2019-04-30', eveningInLima)).toBe(7);
});

test('a child born today where the day begins first has an age of 0, and a later birth date is refused', () => {
  const now = at('2026-11-23T12:00:00Z');
  expect(() => checkBirthDate('2026-11-24', '/birth_date', now)).not.toThrow();
  expect(ageInMonths('2026-11-24', now)).toBe(0);
  const refused = expect.objectContaining({ code: 'validation_error' }) as unknown;
  expect(() => checkBirthDate('2026-11-25', '/birth_date', now)).toThrow(refused);
});
