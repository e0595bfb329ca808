import { expect, test } from 'vitest';
import { Problem } from '../../../src/contract/problem.ts';
import { versionConflict } from '../../../src/contract/version-conflict.ts';
import { expectedVersion, versionTag } from '../../../src/lib/http/record-version.ts';
import { problemResponse } from '../../../src/lib/http/respond.ts';

function refusal(work: () => unknown): [string, (string | undefined)?] {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.errors?.[0]?.pointer];
    throw error;
  }
  throw new Error('nothing was refused');
}

test('a version stands in If-Match, in the body, or in both if they agree', () => {
  expect(expectedVersion('"3"', undefined)).toBe(3);
  expect(expectedVersion(undefined, 3)).toBe(3);
  expect(expectedVersion(versionTag(3), 3)).toBe(3);
  expect(refusal(() => expectedVersion('"3"', 4))).toEqual(['validation_error', '/version']);
});

test('without a version a write is refused', () => {
  expect(refusal(() => expectedVersion(undefined, undefined))).toEqual(['version_required', undefined]);
});

test.each([
  '*',
  'W/"3"',
  '"3", "4"',
  '3',
  '"0"',
  '"-1"',
  '"03"',
  '"3.0"',
  '"1e3"',
  '""',
  '"9999999999"',
  ' "3"',
])('an If-Match of %j is refused: it names no single version', (tag) => {
  expect(refusal(() => expectedVersion(tag, undefined))).toEqual(['validation_error', '/if-match']);
  expect(refusal(() => expectedVersion(tag, 3))).toEqual(['validation_error', '/if-match']);
});

test('the reply to a stale version names the current one', () => {
  const { status, body } = problemResponse(versionConflict(7), 'r', {});
  expect(status).toBe(412);
  expect(JSON.parse(body as string)).toMatchObject({ code: 'version_conflict', current_version: 7 });
});
