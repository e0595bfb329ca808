import { expect, test } from 'vitest';
import { type EnteredScores, marks, scoresOf, withMark } from '../src/desk/audit/scores.ts';

const all: EnteredScores = { diagnosis: 5, advice: 4, wording: 2, image: 1 };

test('a mark that is entered or cleared leaves the others as they are', () => {
  expect(withMark({}, 'advice', '2')).toEqual({ advice: 2 });
  expect(withMark(all, 'advice', '1')).toEqual({ ...all, advice: 1 });
  expect(withMark(all, 'advice', '')).toEqual({ diagnosis: 5, wording: 2, image: 1 });
});

test('an audit has all marks or none', () => {
  expect(scoresOf({})).toBeNull();
  expect(scoresOf(all)).toEqual(all);
  for (const mark of marks) expect(scoresOf(withMark(all, mark, ''))).toBeUndefined();
});
