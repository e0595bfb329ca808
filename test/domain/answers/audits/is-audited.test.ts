import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { isAudited } from '../../../../src/domain/answers/audits/is-audited.ts';

const rules = { sample_percent: 5, always_urgencies: ['high', 'emergency'], always_on_disagreement: true };
const plain = {
  caseUuid: randomUUID(),
  urgency: null,
  aiAgreement: 'agree',
  isExempt: false,
  isContradicting: false,
};
const shareOf = (percent: number, count = 4000) => {
  const sampled = { ...rules, sample_percent: percent };
  const drawn = Array.from({ length: count }, () => isAudited(sampled, { ...plain, caseUuid: randomUUID() }));
  return (drawn.filter(Boolean).length / count) * 100;
};

describe('an answer is audited', () => {
  test('in the share that the tenant wants, drawn by the case', () => {
    expect(shareOf(0)).toBe(0);
    expect(shareOf(100)).toBe(100);
    // Four standard deviations of the share of 4,000 cases.
    expect(Math.abs(shareOf(5) - 5)).toBeLessThan(1.4);
    expect(Math.abs(shareOf(50) - 50)).toBeLessThan(3.2);
    const drawn = Array.from({ length: 20 }, () => isAudited({ ...rules, sample_percent: 50 }, plain));
    expect(new Set(drawn).size).toBe(1);
  });

  test('always where the case is urgent, the answer contradicts it or the physician disagrees, also of an author who is exempt', () => {
    const none = { ...rules, sample_percent: 0 };
    for (const isExempt of [false, true]) {
      expect(isAudited(none, { ...plain, isExempt, urgency: 'high' })).toBe(true);
      expect(isAudited(none, { ...plain, isExempt, urgency: 'emergency' })).toBe(true);
      expect(isAudited(none, { ...plain, isExempt, aiAgreement: 'disagree' })).toBe(true);
      expect(isAudited(none, { ...plain, isExempt, isContradicting: true })).toBe(true);
      expect(isAudited(none, { ...plain, isExempt, urgency: 'medium', aiAgreement: 'partial' })).toBe(false);
    }
    const lenient = { ...none, always_urgencies: [], always_on_disagreement: false };
    expect(isAudited(lenient, { ...plain, urgency: 'emergency', aiAgreement: 'disagree' })).toBe(false);
  });

  test('never by the sample where its author is exempt', () => {
    expect(isAudited({ ...rules, sample_percent: 100 }, { ...plain, isExempt: true })).toBe(false);
  });
});
