import { isAscii } from 'node:buffer';
import { Problem } from '../../contract/problem.ts';

const maximumDepth = 32;
/** Strings, brackets and commas. The largest questionnaire has some 8,000, the largest AI reply some 22,000. */
const maximumTokens = 40_000;
/** In all objects together. The largest questionnaire has 560, the largest AI reply 700. */
const maximumKeys = 2000;
/** Everything but long strings. JSON without a photo never comes near this size. */
const maximumShortBytes = 1024 * 1024;
/** A longer string is a photo in base64, and is parsed apart from the rest. */
const longStringBytes = 64 * 1024;

/** A string of more than `longStringBytes` bytes. */
export interface LongString {
  /** Byte offsets of its content, without the quotes. */
  start: number;
  end: number;
  text: string;
}

export function malformedJson(detail: string): Problem {
  return new Problem('malformed_json', { detail });
}

/**
 * Scans brackets, keys and ends of strings in one pass that never backtracks, so that its time is linear in the number of
 * bytes. It does not check the grammar: `JSON.parse` does that afterwards, on a text of bounded size.
 *
 * @param bytes valid UTF-8
 * @returns the long strings, in document order.
 * @throws {Problem} `malformed_json` for too many tokens, keys or levels, a duplicate key in an object, the NUL character,
 *   half of a surrogate pair, or an unterminated string.
 */
export function outlineJson(bytes: Uint8Array): LongString[] {
  return new Outline(bytes).read();
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const letterU = 0x75;

class Outline {
  readonly #bytes: Uint8Array;
  readonly #longStrings: LongString[] = [];
  /** One entry per open bracket: the keys seen so far for an object, undefined for an array. */
  readonly #open: (Set<string> | undefined)[] = [];
  #keyExpected = false;
  #tokens = 0;
  #keys = 0;
  #longBytes = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  read(): LongString[] {
    const bytes = this.#bytes;
    for (let at = 0; at < bytes.length; at += 1) {
      if (at - this.#longBytes > maximumShortBytes) {
        throw malformedJson(
          `The JSON text has more than ${maximumShortBytes} bytes besides strings of more than ${longStringBytes}.`,
        );
      }
      const byte = bytes[at];
      if (byte === quote) {
        at = this.#readString(at + 1);
      } else if (byte === openBrace || byte === openBracket) {
        this.#enter(byte === openBrace);
      } else if (byte === closeBrace || byte === closeBracket) {
        this.#countToken();
        this.#open.pop();
        this.#keyExpected = false;
      } else if (byte === comma) {
        this.#countToken();
        this.#keyExpected = this.#open.at(-1) !== undefined;
      }
    }
    return this.#longStrings;
  }

  #countToken(): void {
    this.#tokens += 1;
    if (this.#tokens > maximumTokens) {
      throw malformedJson(`The JSON text has more than ${maximumTokens} strings, brackets and commas.`);
    }
  }

  #enter(isObject: boolean): void {
    this.#countToken();
    this.#open.push(isObject ? new Set() : undefined);
    if (this.#open.length > maximumDepth) {
      throw malformedJson(`The JSON text nests deeper than ${maximumDepth}.`);
    }
    this.#keyExpected = isObject;
  }

  /** @returns the offset of the closing quote. */
  #readString(start: number): number {
    this.#countToken();
    const end = endOfString(this.#bytes, start);
    const isLong = end - start > longStringBytes;
    const keys = this.#keyExpected ? this.#open.at(-1) : undefined;
    if (keys !== undefined) {
      if (isLong) throw malformedJson(`A key in the JSON text has more than ${longStringBytes} bytes.`);
      this.#addKey(keys, keyAt(this.#bytes, start, end));
    } else if (isLong) {
      this.#longStrings.push({ start, end, text: longTextAt(this.#bytes, start, end) });
      this.#longBytes += end - start;
    }
    this.#keyExpected = false;
    return end;
  }

  #addKey(keys: Set<string>, key: string): void {
    this.#keys += 1;
    if (this.#keys > maximumKeys) throw malformedJson(`The JSON text has more than ${maximumKeys} keys.`);
    if (keys.has(key)) throw malformedJson('An object in the JSON text has the same key twice.');
    keys.add(key);
  }
}

/** @returns the offset of the string's closing quote. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start;
  const longFrom = Math.min(bytes.length, start + longStringBytes);
  while (at < longFrom) {
    const byte = bytes[at];
    if (byte === quote) return at;
    if (byte !== backslash) at += 1;
    else at = bytes[at + 1] === letterU ? endOfCodePoint(bytes, at) : at + 2;
  }
  // A native search is about thirty times as fast as this loop. It mistakes an escaped quote for the end; base64 contains
  // none, and the text up to such a quote does not parse, so the body is refused.
  const end = bytes.indexOf(quote, at);
  if (end === -1) throw doesNotParse();
  return end;
}

/** @returns the offset after a `\uXXXX`, or after both halves of a surrogate pair. */
function endOfCodePoint(bytes: Uint8Array, at: number): number {
  const unit = codeUnit(bytes, at + 2);
  if (unit === 0) throw malformedJson('The JSON text contains the NUL character.');
  if (unit < 0xd800 || unit > 0xdfff) return at + 6;
  const hasSecond = unit < 0xdc00 && bytes[at + 6] === backslash && bytes[at + 7] === letterU;
  const second = hasSecond ? codeUnit(bytes, at + 8) : 0;
  if (second < 0xdc00 || second > 0xdfff) {
    throw malformedJson('The JSON text contains half of a surrogate pair.');
  }
  return at + 12;
}

/** The number of four hexadecimal digits. */
function codeUnit(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let index = at; index < at + 4; index += 1) unit = unit * 16 + hexDigit(bytes[index] ?? 0);
  return unit;
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  if (letter >= 0x61 && letter <= 0x66) return letter - 0x57;
  throw doesNotParse();
}

/** The key with its escapes resolved: `role` and `r\u006fle` are the same key. */
function keyAt(bytes: Uint8Array, start: number, end: number): string {
  const key = textAt(bytes, start, end);
  return key.includes('\\') ? unescaped(`"${key}"`) : key;
}

/** @param text with its quotes */
function unescaped(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    throw doesNotParse();
  }
}

/**
 * The text of a long string. Base64 needs no escapes, but some encoders write them: PHP for the slash, .NET for the plus
 * sign, Gson for the equals sign. Other escapes are refused before any is resolved, which takes long for millions of them.
 */
function longTextAt(bytes: Uint8Array, start: number, end: number): string {
  if (!isAscii(bytes.subarray(start, end))) throw unusualLongString();
  const quoted = textAt(bytes, start - 1, end + 1);
  if (quoted.includes('\\')) {
    if (/\\(?:[^/u]|u(?!00[2-7]))/.test(quoted)) throw unusualLongString();
    return unescaped(quoted);
  }
  // oxlint-disable-next-line no-control-regex -- what JSON allows in no string
  if (/[\0-\x1f]/.test(quoted)) throw unusualLongString();
  return quoted.slice(1, -1);
}

function unusualLongString(): Problem {
  return malformedJson(
    `A string of more than ${longStringBytes} bytes in the JSON text has characters outside of ASCII, or unusual escapes.`,
  );
}

export function textAt(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8', start, end);
}

function doesNotParse(): Problem {
  return malformedJson('The text does not parse as JSON.');
}
