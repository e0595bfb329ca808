import { HttpRequest } from '@azure/functions';
import { describe, expect, test } from 'vitest';
import { readBody } from '../../../src/lib/http/request-body.ts';
import type { Problem } from '../../../src/contract/problem.ts';

// How the refusals look over HTTP: test/functions/http.test.ts.

function requestWith(body: string, headers: Record<string, string>): HttpRequest & { wasRead(): boolean } {
  const request = new HttpRequest({
    method: 'POST',
    url: 'http://app.test/',
    headers,
    body: { string: body },
  });
  let read = false;
  const arrayBuffer = request.arrayBuffer.bind(request);
  return Object.assign(request, {
    wasRead: () => read,
    arrayBuffer: () => {
      read = true;
      return arrayBuffer();
    },
  });
}

const refusal = (promise: Promise<unknown>): Promise<Problem> =>
  promise.then(
    () => {
      throw new Error('was accepted');
    },
    (problem: Problem) => problem,
  );

test('a body within the limit is read whole', async () => {
  const request = requestWith('abc', { 'content-length': '3' });
  expect(await readBody(request, 3)).toEqual(new TextEncoder().encode('abc'));
});

describe('what is refused is not even copied', () => {
  test.each<[string, Record<string, string>, string]>([
    ['a body whose announced length is too large', { 'content-length': '4' }, 'payload_too_large'],
    ['a chunked body', { 'transfer-encoding': 'chunked' }, 'length_required'],
    [
      'a chunked body that names a length',
      { 'transfer-encoding': 'chunked', 'content-length': '3' },
      'length_required',
    ],
    ['a body of unknown length', {}, 'length_required'],
    ['a compressed body', { 'content-length': '3', 'content-encoding': 'br' }, 'unsupported_media_type'],
  ])('%s', async (_what, headers, code) => {
    const request = requestWith('abcd', headers);
    expect((await refusal(readBody(request, 3))).code).toBe(code);
    expect(request.wasRead()).toBe(false);
  });
});

test('a body longer than declared is refused by its real length', async () => {
  expect((await refusal(readBody(requestWith('abcd', { 'content-length': '3' }), 3))).code).toBe(
    'payload_too_large',
  );
});
