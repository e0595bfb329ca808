import { expect, test } from 'vitest';
import { toBody } from '../src/to-body.ts';

const photo = new File(['jpeg'], 'arm.jpg', { type: 'image/jpeg' });

test.each([
  [{ email: 'a@example.org' }],
  [{}],
  [{ skippedQuestions: [], complaint: { duration: undefined }, images: [] }],
  [{ images: [{ url: '/api/common/images/x' }] }],
])('%j is sent as JSON', (body) => {
  expect(toBody(body)).toBe(JSON.stringify(body));
});

test('a body with files is a form: each file a part, objects as JSON, texts unchanged, undefined left out', () => {
  const form = toBody({
    images: [photo, photo],
    anamnesis: { locations: [] },
    note: 'a "b"',
    absent: undefined,
  });
  expect([...(form as FormData)]).toEqual([
    ['images', photo],
    ['images', photo],
    ['anamnesis', '{"locations":[]}'],
    ['note', 'a "b"'],
  ]);
});

test('a FormData body stays unchanged', () => {
  const form = new FormData();
  expect(toBody(form)).toBe(form);
});
