import { expect, test } from 'vitest';
import { faultsOfHands, type Happening, judgeOrder, type Waiting } from './drain-model.ts';

// The judge of the drained queue finds what it is to find.

const happened = (
  action: string,
  case_uuid: string,
  actor_user_id: number | null,
  request_id = 'x',
): Happening => ({
  action,
  case_uuid,
  actor_user_id,
  request_id,
});
const waiting = (uuid: string, rank: number, dueAt: number): Waiting => ({
  uuid,
  id: dueAt,
  rank,
  pool: 'general',
  language: 'en',
  dueAt,
  since: 0,
});

test('two hands at once, an answer too many, and a case that nobody had', () => {
  const taken = happened('case_taken', 'a', 1);
  expect(faultsOfHands([taken, happened('case_released', 'a', 1), happened('case_taken', 'a', 2)])).toEqual(
    [],
  );
  expect(faultsOfHands([taken, happened('case_taken', 'a', 2)])).toHaveLength(1);
  expect(faultsOfHands([taken, happened('case_released', 'a', 2)])).toHaveLength(1);
  const answered = happened('case_answered', 'a', 1);
  expect(faultsOfHands([taken, answered])).toEqual([]);
  expect(faultsOfHands([taken, answered, answered])).toHaveLength(1);
  expect(faultsOfHands([answered])).toHaveLength(1);
});

test('a case that was passed over while it surely waited', () => {
  const cases = [waiting('urgent', 0, 50), waiting('early', 2, 10), waiting('late', 2, 20)];
  const workers = [{ userId: 1, pools: ['general'], languages: ['en'] }];
  const judge = (events: Happening[], failed = false) =>
    judgeOrder(
      cases,
      workers,
      events,
      new Map([
        ['next-1', { from: 1, to: 2, failed: false }],
        ['next-2', { from: 3, to: 4, failed }],
        ['next-3', { from: 3.5, to: 5, failed: false }],
      ]),
    );
  const first = happened('case_taken', 'urgent', 1, 'next-1');
  const early = happened('case_taken', 'early', 1, 'next-2');
  expect(judge([first, early])).toEqual({ faults: [], judged: 2, unjudged: 0 });
  expect(judge([happened('case_taken', 'early', 1, 'next-1')]).faults).toHaveLength(1);
  expect(judge([first, happened('case_taken', 'late', 1, 'next-2')]).faults).toHaveLength(1);
  // Another request was about to take it, or may have had it locked when its process died.
  expect(judge([first, happened('case_taken', 'late', 1, 'next-3'), early]).faults).toEqual([]);
  expect(judge([first, happened('case_taken', 'late', 1, 'next-3')], true)).toMatchObject({
    faults: [],
    unjudged: 1,
  });
  // Put back by this physician, who is not offered it for a day.
  const released = happened('case_released', 'urgent', 1, 'next-1');
  expect(judge([first, released, early]).faults).toEqual([]);
});
