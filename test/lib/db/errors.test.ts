import { DatabaseError } from 'pg';
import { describe, expect, test } from 'vitest';
import { isConnectionLost, isDatabaseUnavailable, isUniqueViolation } from '../../../src/lib/db/errors.ts';

const fromPostgres = (code: string, constraint?: string) =>
  Object.assign(new DatabaseError('x', 1, 'error'), { code, constraint });
const withCode = (code: string) => Object.assign(new Error('x'), { code });

describe('a database that is not there, as against a statement that is wrong', () => {
  test.each([
    ['PostgreSQL is shutting down', fromPostgres('57P01')],
    ['it is starting', fromPostgres('57P03')],
    ['a statement was cancelled for its time', fromPostgres('57014')],
    ['too many connections', fromPostgres('53300')],
    ['the disk is full', fromPostgres('53100')],
    ['an I/O error', fromPostgres('58030')],
    ['a connection failure', fromPostgres('08006')],
    ['a deadlock', fromPostgres('40P01')],
    ['a wrong password', fromPostgres('28P01')],
    ['no such database', fromPostgres('3D000')],
    ['a lock that is not to be had', fromPostgres('55P03')],
    ['it accepts only reads', fromPostgres('25006')],
    ['no server listens', withCode('ECONNREFUSED')],
    ['a reset', withCode('ECONNRESET')],
    ['no such host', withCode('ENOTFOUND')],
    [
      'no server listens on any address of the host',
      new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]),
    ],
    ['no connection within the time', new Error('timeout exceeded when trying to connect')],
    ['a connection that ended', new Error('Connection terminated unexpectedly')],
    ['no answer within the time', new Error('Query read timeout')],
  ])('%s: unavailable', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  test.each([
    ['a syntax error', fromPostgres('42601')],
    ['a unique violation', fromPostgres('23505')],
    ['a right that is missing', fromPostgres('42501')],
    ['a value that is none', fromPostgres('22P02')],
    ['an error of ours', new Error('x')],
    ['a missing file', withCode('ENOENT')],
    ['an aggregate of errors of ours', new AggregateError([new Error('x')])],
    ['text', 'ECONNREFUSED'],
    ['nothing', undefined],
  ])('%s: not', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

test('a unique violation is known by its constraint', () => {
  const taken = fromPostgres('23505', 'users_email_key');
  expect(isUniqueViolation(taken, 'users_email_key')).toBe(true);
  expect(isUniqueViolation(taken, 'tenants_slug_key')).toBe(false);
  expect(isUniqueViolation(fromPostgres('23503', 'users_email_key'), 'users_email_key')).toBe(false);
  expect(isUniqueViolation(withCode('23505'), 'users_email_key')).toBe(false);
});

test.each([
  ['a reset', withCode('ECONNRESET'), true],
  ['a broken pipe', withCode('EPIPE'), true],
  ['an end without a word', new Error('Connection terminated unexpectedly'), true],
  ['an administrator', fromPostgres('57P01'), true],
  ['a standby that was the primary', fromPostgres('25006'), true],
  ['no server listens', withCode('ECONNREFUSED'), false],
  ['it is starting', fromPostgres('57P03'), false],
  ['a wrong password', fromPostgres('28P01'), false],
  ['no answer within the time', new Error('Query read timeout'), true],
  ['no error at all', 'ECONNRESET', false],
])('%s is the end of a connection that was open: %#', (_what, error, expected) => {
  expect(isConnectionLost(error)).toBe(expected);
});
