import { describe, expect, test } from 'vitest';
import { currentDocument } from '../../dev/tools/openapi/documented-examples.ts';
import { contractOf } from './contract-faults.ts';

// The judge of every reply in the contract test finds what openapi.json does not have.

type Responses = Record<string, { content: Record<string, object>; headers?: object }>;
interface Document {
  paths: Record<string, Record<string, { responses: Responses }>>;
}
const openapi = currentDocument();
const sent = { method: 'POST', path: '/api/auth/login' };
const pair = { access_token: 'a.b.c', refresh_token: 'dgr_x', token_type: 'bearer', expires_in: 1800 };

const reply = (body: object, headers: Record<string, string> = {}, status = 200) => ({
  status,
  headers: new Headers({ 'content-type': 'application/json', 'x-request-id': 'r', ...headers }),
  body: Buffer.from(JSON.stringify(body)),
});

/** The document with other replies to a login. */
function spoilt(spoil: (responses: Responses) => unknown): Record<string, unknown> {
  const document = structuredClone(openapi) as unknown as Document;
  spoil(document.paths['/api/auth/login']?.['post']?.responses ?? {});
  return document as unknown as Record<string, unknown>;
}

test('a reply as documented has no fault', () => {
  expect(contractOf(openapi).replyFaults(sent, reply(pair))).toEqual([]);
});

describe('a reply that openapi.json does not have is found by', () => {
  const withContent = (content: Record<string, object>) => (responses: Responses) =>
    Object.assign(responses, { 200: { ...responses['200'], content } });
  const number = { schema: { properties: { access_token: { type: 'integer' } } } };

  test.each([
    ['the status', (responses: Responses) => delete responses['200'], 'openapi.json has no 200 for logIn'],
    [
      'the type',
      withContent({ 'text/plain': {} }),
      'openapi.json does not have the content type application/json',
    ],
    ['the body', withContent({ 'application/json': number }), 'body/access_token must be integer'],
    [
      'a header',
      (responses: Responses) => Object.assign(responses, { 200: { ...responses['200'], headers: {} } }),
      'openapi.json has no header x-request-id for this reply',
    ],
  ])('%s', (_what, spoil, fault) => {
    expect(contractOf(spoilt(spoil)).replyFaults(sent, reply(pair))).toEqual([fault]);
  });

  test('the operation', () => {
    expect(contractOf({ ...openapi, paths: {} }).replyFaults(sent, reply(pair))).toEqual([
      'openapi.json has no such operation',
    ]);
  });

  test('a problem of no operation that is none', () => {
    const nowhere = { method: 'GET', path: '/api/nowhere' };
    const type = { 'content-type': 'application/problem+json' };
    const faults = contractOf(openapi).replyFaults(nowhere, reply({ code: 'no_such_code' }, type, 404));
    expect(faults).not.toEqual([]);
    expect(faults.join()).toContain('body');
  });
});
