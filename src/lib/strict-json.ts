import { Problem } from './problem.ts';

const maximumDepth = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses a JSON text (RFC 8259) that every reader understands in the same way.
 *
 * Refused besides plain syntax errors: text that is not UTF-8, a byte-order mark, nesting deeper than 32, the
 * NUL character and halves of surrogate pairs (PostgreSQL can store neither), and duplicate keys: two parsers
 * that pick different ones would validate one value and use the other. RFC 7493 (I-JSON) asks for the same.
 *
 * @throws {Problem} `malformed_json`; its detail never repeats the body.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new Problem('malformed_json', { detail: 'The JSON text is not valid UTF-8.' });
  }
  return parseStrictJsonText(text);
}

/** As {@link parseStrictJson}, for text that has already been decoded. */
export function parseStrictJsonText(text: string): unknown {
  if (text.startsWith('\uFEFF')) {
    throw new Problem('malformed_json', { detail: 'The JSON text starts with a byte-order mark.' });
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Problem('malformed_json', { detail: 'The text does not parse as JSON.' });
  }
  checkStructure(text);
  return value;
}

/** One token of a text that is known to be JSON: a string, a bracket, or a comma; the rest does not matter. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/g;

function checkStructure(text: string): void {
  // One entry for each open bracket: the keys seen so far in an object, undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let keyExpected = false;
  for (const [piece] of text.matchAll(token)) {
    if (piece === '{' || piece === '[') {
      open.push(piece === '{' ? new Set() : undefined);
      if (open.length > maximumDepth) {
        throw new Problem('malformed_json', { detail: `The JSON text nests deeper than ${maximumDepth}.` });
      }
      keyExpected = piece === '{';
    } else if (piece === '}' || piece === ']') {
      open.pop();
      keyExpected = false;
    } else if (piece === ',') {
      keyExpected = open.at(-1) !== undefined;
    } else {
      checkString(piece, keyExpected ? open.at(-1) : undefined);
      keyExpected = false;
    }
  }
}

function checkString(piece: string, keys: Set<string> | undefined): void {
  const text = piece.includes('\\') ? (JSON.parse(piece) as string) : piece.slice(1, -1);
  if (text.includes('\0')) {
    throw new Problem('malformed_json', { detail: 'The JSON text contains the NUL character.' });
  }
  if (!text.isWellFormed()) {
    throw new Problem('malformed_json', { detail: 'The JSON text contains half of a surrogate pair.' });
  }
  if (keys === undefined) return;
  if (keys.has(text)) {
    throw new Problem('malformed_json', { detail: 'An object in the JSON text has the same key twice.' });
  }
  keys.add(text);
}
