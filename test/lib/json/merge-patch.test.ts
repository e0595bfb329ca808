import { expect, test } from 'vitest';
import { mergePatch } from '../../../src/lib/json/merge-patch.ts';

// RFC 7396, appendix A: document, patch, result.
test.each([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])('%s with %s becomes %s', (document, patch, result) => {
  expect(mergePatch(JSON.parse(document), JSON.parse(patch))).toEqual(JSON.parse(result));
});

test('neither document nor patch changes, and no prototype does', () => {
  const document = { a: { b: 1 } };
  const patch = JSON.parse('{"a":{"b":2,"__proto__":{"polluted":true}}}');
  const merged = mergePatch(document, patch) as { a: object };
  expect(document).toEqual({ a: { b: 1 } });
  expect(Object.getPrototypeOf(merged.a)).toBe(Object.prototype);
  expect(Object.keys(merged.a)).toEqual(['b', '__proto__']);
  expect('polluted' in {}).toBe(false);
});
