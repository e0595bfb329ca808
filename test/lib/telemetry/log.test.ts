import { describe, expect, test } from 'vitest';
import { createLog, describeError, type LogLevel } from '../../../src/lib/telemetry/log.ts';

function capture(minimum?: LogLevel) {
  const written: [LogLevel, Record<string, unknown>][] = [];
  const log = createLog(
    (level, line) => void written.push([level, JSON.parse(line) as Record<string, unknown>]),
    minimum,
    { requestId: 'r1' },
  );
  return { log, written };
}

test('a line is one JSON object with level, event and fields', () => {
  const { log, written } = capture();
  log.info('did_it', { count: 3, user: undefined });
  expect(written).toEqual([['info', { level: 'info', event: 'did_it', requestId: 'r1', count: 3 }]]);
});

test('a line stays one line for any field values', () => {
  const lines: string[] = [];
  createLog((_level, line) => void lines.push(line)).warn('x', { text: 'a\nb\u2028{"level":"error"}' });
  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toMatch(/\n/);
});

test.each<[LogLevel, string[]]>([
  ['debug', ['debug', 'info', 'warn', 'error']],
  ['info', ['info', 'warn', 'error']],
  ['warn', ['warn', 'error']],
  ['error', ['error']],
])('from %s on: %j', (minimum, levels) => {
  const { log, written } = capture(minimum);
  for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]('x');
  expect(written.map(([level]) => level)).toEqual(levels);
});

test('a log with more fields leaves the first as it was', () => {
  const { log, written } = capture();
  log.with({ tenant: 1 }).info('a');
  log.info('b');
  expect(written.map(([, line]) => line)).toEqual([
    { level: 'info', event: 'a', requestId: 'r1', tenant: 1 },
    { level: 'info', event: 'b', requestId: 'r1' },
  ]);
});

describe('of an unexpected error the log has kind and place, not data', () => {
  test('neither message nor detail', () => {
    const error = Object.assign(new RangeError('row (hunter2)'), {
      code: '23505',
      detail: 'Key (email)=(hunter2)',
    });
    const fields = describeError(error);
    expect(fields).toMatchObject({ error: 'RangeError', errorCode: '23505' });
    expect(fields['stack']).toContain('log.test.ts');
    expect(JSON.stringify(fields)).not.toContain('hunter2');
  });

  test('not even a message that pretends to be a stack', () => {
    const fields = describeError(new Error('first line\n    at hunter2 (secret.ts:1:1)\nlast line'));
    expect(JSON.stringify(fields)).not.toContain('hunter2');
  });

  test('a code only where it is a word', () => {
    const coded = (code: unknown) => describeError(Object.assign(new Error('x'), { code }));
    expect(coded('ECONNREFUSED')).toMatchObject({ errorCode: 'ECONNREFUSED' });
    for (const code of [550, '550 no such user hunter2@example.org', '']) {
      expect(coded(code)).toMatchObject({ errorCode: undefined });
    }
  });

  test.each([['text'], [undefined], [null], [{ message: 'hunter2' }]])(
    'something else that was thrown: %j',
    (thrown) => {
      expect(describeError(thrown)).toEqual({ error: typeof thrown });
    },
  );
});
