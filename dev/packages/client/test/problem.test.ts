import { expect, test } from 'vitest';
import { isProblem } from '../src/index.ts';

test.each([undefined, null, '', '<h1>Bad gateway</h1>', {}, [], { code: 'not_found' }, { status: 404 }])(
  '%j is no problem of ours',
  (error) => expect(isProblem(error)).toBe(false),
);

test('a problem is one', () => {
  const problem = {
    type: 'urn:dermagate:problem:not_found',
    title: '',
    status: 404,
    code: 'not_found',
    requestId: 'r',
  };
  expect(isProblem(problem)).toBe(true);
});
