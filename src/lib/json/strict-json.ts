import { isUtf8 } from 'node:buffer';
import { type LongString, malformedJson, outlineJson, textAt } from './json-outline.ts';

/**
 * Parses a JSON text (RFC 8259) that every parser reads the same way, in bounded time for any content.
 *
 * Besides syntax errors it refuses: text that is not UTF-8, a byte-order mark, nesting deeper than 32, more than 40,000
 * tokens or 2,000 keys, the NUL character and lone surrogates (PostgreSQL can store neither), and duplicate keys: two
 * parsers that pick different ones would validate one value and use the other. RFC 7493 (I-JSON) requires the same.
 *
 * @throws {Problem} `malformed_json`; its detail never repeats the body.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw malformedJson('The JSON text is not valid UTF-8.');
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) {
    throw malformedJson('The JSON text starts with a byte-order mark.');
  }
  const longStrings = outlineJson(bytes);
  const text = withoutLongStrings(bytes, longStrings);
  try {
    if (longStrings.length === 0) return JSON.parse(text);
    return JSON.parse(text, (_key, value) => filledIn(value, longStrings));
  } catch {
    throw malformedJson('The text does not parse as JSON.');
  }
}

/** Like {@link parseStrictJson}, for text that is already decoded. */
export function parseStrictJsonText(text: string): unknown {
  if (!text.isWellFormed()) throw malformedJson('The JSON text contains half of a surrogate pair.');
  return parseStrictJson(Buffer.from(text));
}

/** The text with each long string replaced by NUL and its index; no string of the caller can contain NUL. */
function withoutLongStrings(bytes: Uint8Array, longStrings: readonly LongString[]): string {
  let text = '';
  let from = 0;
  for (const [index, { start, end }] of longStrings.entries()) {
    text += `${textAt(bytes, from, start)}\\u0000${index}`;
    from = end;
  }
  return text + textAt(bytes, from, bytes.length);
}

function filledIn(value: unknown, longStrings: readonly LongString[]): unknown {
  const isPlaceholder = typeof value === 'string' && value.startsWith('\0');
  return isPlaceholder ? longStrings[Number(value.slice(1))]?.text : value;
}
