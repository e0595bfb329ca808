import { expect, test } from 'vitest';
import { filterNames, filtersOf, searchOf, unsearchable } from '../src/desk/search/filters.ts';

const of = (query: string) => filtersOf(new URLSearchParams(query));

test('an address keeps what a filter offers, and nothing else', () => {
  const query =
    'scope=queue&status=on_hold&triage=emergency&urgency=high&language=he&pool=clinic-a&physician=me&disease=12+Psoriasis' +
    '&audit=pending&overdue=1&from=2026-11-01&to=2026-11-23&sort=due_at%3Aasc';
  expect(Object.keys(of(query)).toSorted()).toEqual([...filterNames].toSorted());
  expect(
    of('scope=everything&status=__proto__&physician=you&disease=x&overdue=yes&from=1.11.&sort=&name=Rivka'),
  ).toEqual({});
});

test('filters become a search; days begin and end here', () => {
  const search = searchOf(
    of('status=queued&triage=routine&disease=12+Psoriasis&from=2026-11-01&to=2026-11-01&overdue=1'),
    '',
  );
  expect(search).toMatchObject({
    status: ['queued'],
    triage_level: ['routine'],
    disease_id: [12],
    overdue: true,
  });
  const { from = '', to = '' } = search.submitted ?? {};
  expect([new Date(from).getHours(), Date.parse(to) - Date.parse(from)]).toEqual([0, 24 * 3_600_000]);
  expect(searchOf({}, '  ')).toEqual({});
});

test.each([
  ['1207', { case_id: 1207 }],
  ['#A-77', { external_id: 'A-77' }],
  ['01a209b5-fcef-762f-b873-5b8ba49e3204', { patient_uuid: '01a209b5-fcef-762f-b873-5b8ba49e3204' }],
  [' רבקה ', { patient_name: 'רבקה' }],
  ['١٢٠٧', { case_id: 1207 }],
  ['\u2068١٢٠٧\u2069', { case_id: 1207 }],
  ['Levi\tNoa\u200F', { patient_name: 'Levi Noa' }],
  ['a'.repeat(65), { patient_name: 'a'.repeat(40) }],
  [`#${'a'.repeat(64)}`, { external_id: 'a'.repeat(64) }],
])('%s is searched for as %o', (text, expected) => {
  expect(searchOf({}, text)).toEqual(expected);
});

test.each(['a', '#', '# a b', '0', '😀', '(%_', '-'])(
  'nothing is searched for while %s alone is typed',
  (text) => {
    expect(unsearchable({}, text)).toBe('text');
  },
);

test('the queue is not searched for a person, and every other search is made', () => {
  expect(unsearchable({ scope: 'queue' }, 'Noa')).toBe('queue');
  expect(unsearchable({ scope: 'queue' }, '#A-77')).toBe('queue');
  expect(unsearchable({ scope: 'queue' }, '12')).toBeUndefined();
  expect(unsearchable({ scope: 'mine' }, 'Noa')).toBeUndefined();
  expect(unsearchable({}, '  ')).toBeUndefined();
});

test('what the gateway reads as no pool and no time is no filter', () => {
  expect(of('pool=General+Pool&to=9999-12-31')).toEqual({});
});
