import { describe, expect, test } from 'vitest';
import { CaseStatus } from '../../../../src/domain/cases/record/case-status.ts';
import { isStillTrue, isTooOld, mayWait, toldAs } from '../../../../src/domain/delivery/news/judge-news.ts';
import { RecommendedAction } from '../../../../src/domain/intake/triage/triage.schemas.ts';
import { audiences, NewsKind, type NewsPayload } from '../../../../src/domain/announce/news/news.ts';

type CaseRecord = Parameters<typeof isStillTrue>[1];

const heldAt = new Date('2026-11-20T08:00:00Z');
const news = (kind: NewsKind, changes: Partial<NewsPayload> = {}) =>
  ({
    kind,
    at: heldAt.toISOString(),
    annotation_uuid: 'a',
    held_at: heldAt.toISOString(),
    physician_id: 7,
    ...changes,
  }) as NewsPayload;
const record = (status: string, changes: Partial<CaseRecord> = {}) =>
  ({
    status,
    pending_status: 'awaiting_patient',
    analysis_state: 'done',
    eligibility_outcome: 'needs_patient',
    eligibility_reasons: ['photos_missing'],
    queued_at: null,
    held_at: heldAt,
    lane_pool: 'physician:7',
    final_annotation_uuid: 'a',
    ...changes,
  }) as CaseRecord;

const all = CaseStatus.options;
const without = (...some: string[]) => all.filter((status) => !some.includes(status));

describe('is announced while the case is so:', () => {
  test.each<[NewsKind, readonly string[]]>([
    ['answer_published', ['closed']],
    ['answer_amended', ['closed']],
    ['answer_withdrawn', without('closed')],
    ['patient_asked', ['on_hold']],
    ['patient_reminded', ['on_hold']],
    ['not_eligible', ['ineligible']],
    ['expired', ['expired']],
    ['flags_found', without('closed', 'ineligible', 'cancelled', 'expired')],
    ['emergency', ['submitted', 'queued', 'on_hold']],
    ['cancelled_with_flags', ['cancelled']],
    ['assigned', ['queued']],
    ['correction_required', all],
  ])('%s', (kind, statuses) => {
    expect(all.filter((status) => isStillTrue(news(kind), record(status)))).toEqual(statuses);
  });

  test.each<[string, boolean, NewsPayload, CaseRecord]>([
    ['another answer', false, news('answer_published'), record('closed', { final_annotation_uuid: 'b' })],
    ['another answer', false, news('answer_amended'), record('closed', { final_annotation_uuid: 'b' })],
    ['another answer', false, news('correction_required'), record('closed', { final_annotation_uuid: 'b' })],
    [
      'no answer',
      false,
      news('correction_required', { annotation_uuid: null }),
      record('queued', { final_annotation_uuid: null }),
    ],
    ['another physician', false, news('assigned'), record('queued', { lane_pool: 'physician:70' })],
    ['a later question', false, news('patient_asked'), record('on_hold', { held_at: new Date() })],
    ['another hold', false, news('patient_asked'), record('on_hold', { pending_status: 'technical' })],
    ['a reply', false, news('patient_asked'), record('on_hold', { analysis_state: 'pending' })],
    ['an urgent case in the queue', true, news('patient_asked', { held_at: null }), record('queued')],
    ['an urgent case in review', true, news('patient_asked', { held_at: null }), record('in_review')],
    [
      'an urgent case whose patient has sent what was missing',
      false,
      news('patient_asked', { held_at: null }),
      record('queued', { eligibility_reasons: ['duplicate'] }),
    ],
    ['an urgent case that is answered', false, news('patient_asked', { held_at: null }), record('answered')],
    ['a case that was not on hold', false, news('patient_reminded', { held_at: null }), record('queued')],
  ])('%s: %s', (_, isTrue, payload, standing) => {
    expect(isStillTrue(payload, standing)).toBe(isTrue);
  });
});

test('a message of two days is sent, and no older one', () => {
  const after = (ms: number) => new Date(heldAt.getTime() + 48 * 60 * 60 * 1000 + ms);
  expect([isTooOld(news('expired'), after(0)), isTooOld(news('expired'), after(1))]).toEqual([false, true]);
});

test('in quiet hours everything waits but what is urgent, by its kind or its case', () => {
  const urgent = ['flags_found', 'emergency', 'cancelled_with_flags'];
  expect(NewsKind.options.filter((kind) => audiences[kind].isUrgent)).toEqual(urgent);
  const calm = { urgency: 'medium', triage_level: 'routine', answer_action: 'self_care_advice' } as const;
  for (const kind of NewsKind.options) {
    expect([kind, mayWait({ kind }, calm)]).toEqual([kind, !urgent.includes(kind)]);
    expect(mayWait({ kind }, { ...calm, urgency: 'high' })).toBe(false);
    expect(mayWait({ kind }, { ...calm, triage_level: 'urgent_24h' })).toBe(false);
    const news = kind === 'patient_reminded' ? 'patient_asked' : kind;
    expect([toldAs({ kind }, calm), toldAs({ kind }, { ...calm, urgency: 'high' })]).toEqual([kind, news]);
  }
});

test('an answer that cannot wait is sent at night and says to read it now, however harmless the case', () => {
  const calm = { urgency: 'low', triage_level: 'routine' } as const;
  const urgent = ['call_emergency_services', 'same_day_medical_review', 'physician_review_within_24h'];
  for (const action of [null, ...RecommendedAction.options]) {
    const isUrgent = action !== null && urgent.includes(action);
    for (const kind of NewsKind.options) {
      const told = toldAs({ kind }, { ...calm, answer_action: action });
      const isAnswer = kind === 'answer_published' || kind === 'answer_amended';
      expect([kind, action, told]).toEqual([kind, action, isAnswer && isUrgent ? 'flags_found' : kind]);
      if (isAnswer) expect(mayWait({ kind }, { ...calm, answer_action: action })).toBe(!isUrgent);
    }
  }
});

test('staff and patients get what is for them', () => {
  const to = (who: string) => NewsKind.options.filter((kind) => audiences[kind].to === who);
  expect(to('on_call')).toEqual(['emergency', 'cancelled_with_flags']);
  expect([to('assignee'), to('signer')]).toEqual([['assigned'], ['correction_required']]);
  expect(to('account')).toHaveLength(NewsKind.options.length - 4);
});
