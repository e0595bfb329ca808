import { describe, expect, test } from 'vitest';
import { requestId, requestTraceparent } from '../../../src/lib/http/trace.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('a request id', () => {
  test.each(['a', 'A-Za-z0-9._-', '0193a8f0-0000-7000-8000-000000000000', 'x'.repeat(64)])(
    'that is well-formed is kept: %s',
    (id) => {
      expect(requestId(id)).toBe(id);
    },
  );

  test.each([
    ['absent', null],
    ['empty', ''],
    ['too long', 'x'.repeat(65)],
    ['with a space', 'a b'],
    ['with a line break', 'a\nb'],
    ['with a line break at its end', 'ab\n'],
    ['sent twice', 'a, b'],
    ['with a letter beyond ASCII', 'é'],
    ['with markup', '<b>'],
  ])('that is %s is replaced by a new one', (_what, id) => {
    const first = requestId(id);
    expect(first).toMatch(uuid);
    expect(requestId(id)).not.toBe(first);
  });
});

describe('traceparent', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const span = 'b7ad6b7169203331';
  const ofHost = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-00`;

  test("what is done for a request hangs below the host's own span", () => {
    expect(requestTraceparent(ofHost, `00-${trace}-${span}-01`)).toBe(ofHost);
    expect(requestTraceparent(ofHost, null)).toBe(ofHost);
  });

  test.each([undefined, '', '00-nonsense'])(
    "a host that names none (%j): the caller's trace goes on",
    (host) => {
      const ours = requestTraceparent(host, `00-${trace}-${span}-00`);
      expect(ours).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-00$`));
      expect(ours).not.toContain(span);
    },
  );

  test.each([
    null,
    '',
    'nonsense',
    `01-${trace}-${span}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
    `00-${trace}-${span}-01\r\nx-evil: 1`,
  ])('%j starts a new trace', (header) => {
    const ours = requestTraceparent(undefined, header);
    expect(ours).toMatch(/^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-01$/);
    expect(ours).not.toContain(trace);
  });
});
