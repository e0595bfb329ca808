import { expect, test } from 'vitest';
import { toTrailFilter, type TrailValues } from '../src/office/audit-trail/trail-filter.ts';

const id = '0190d6a8-77c1-7b5e-9d41-3f6c0a9b1e25';
const none: TrailValues = { whose: '', id: '', category: '', action: '', outcome: '', from: '', to: '' };
const filter = (values: Partial<TrailValues>) => toTrailFilter({ ...none, ...values });

test('without the id of a case or a person nothing is read', () => {
  expect(filter({ whose: 'user_uuid', category: 'admin' })).toBeUndefined();
  expect(filter({ whose: 'user_uuid', id: 'noa@example.org' })).toBeUndefined();
});

test('an id is that of a case until another kind is chosen', () => {
  expect(filter({ id: id.toUpperCase() })).toEqual({ case_uuid: id });
  expect(filter({ whose: 'actor_uuid', id })).toEqual({ actor_uuid: id });
});

test('what fits no form is left out, as a person can write anything into the address', () => {
  const values = {
    category: 'gossip',
    outcome: 'maybe',
    action: 'case_read, <b>',
    from: 'soon',
    to: '2026-13-45',
  };
  expect(filter({ whose: 'nobody', id, ...values })).toEqual({ case_uuid: id, action: 'case_read' });
});

test('the last day counts to its end', () => {
  const { from, to } = filter({ id, from: '2026-03-01', to: '2026-03-02' }) ?? {};
  const days = (Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000;
  expect(days).toBe(2);
});
