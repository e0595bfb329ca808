import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatJson } from './format-json.ts';

test('is the same JSON, whatever it holds', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.stringify(JSON.parse(formatJson(value)))).toBe(JSON.stringify(value));
    }),
  );
});

test('has one line for what fits, and one for each member of what does not', () => {
  expect(formatJson({ a: [1, { b: 'c\n d' }], e: undefined })).toBe(
    String.raw`{ "a": [ 1, { "b": "c\n d" } ] }`,
  );
  const long = 'x'.repeat(100);
  expect(formatJson({ long, list: [{ $ref: '#/a' }, long] })).toBe(
    `{\n  "long": "${long}",\n  "list": [\n    { "$ref": "#/a" },\n    "${long}"\n  ]\n}`,
  );
});
