import { expect, test } from 'vitest';
import { testApp } from '../support/app.ts';

// That the host has these timers and that they work on a whole app; what they do is in test/domain/cases.

const app = await testApp();

test.each([
  ['retryAnalyses', { done: 0, failed: 0 }],
  ['retryEligibility', { done: 0, failed: 0 }],
  ['remindAndExpire', { expired: 0, queued: 0, reminded: 0, failed: 0 }],
  ['returnLeases', { done: 0, failed: 0 }],
  ['openLanes', { done: 0, failed: 0 }],
  ['endVacations', { ended: 0 }],
  ['publishAnswers', { published: 0, failed: 0 }],
  ['watchQueue', { emergencies: 0, overdue: 0, messages: 0 }],
])('%s runs and reports what it has done', async (name, counts) => {
  await app.runTimer(name);
  const lines = app.output.flatMap((line) => {
    const start = line.indexOf('{"level":');
    return start === -1 ? [] : [JSON.parse(line.slice(start)) as Record<string, unknown>];
  });
  expect(lines.filter(({ function: timer }) => timer === name)).toEqual([
    expect.objectContaining({ level: 'info', event: 'timer', ...counts }),
  ]);
});
