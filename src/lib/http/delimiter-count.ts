import { Buffer } from 'node:buffer';

/**
 * Counts the delimiters in a multipart body that announce a part: all but the closing one (RFC 2046 §5.1.1). busboy skips
 * a part whose Content-Disposition or delimiter it does not understand, and reports nothing.
 */
export class DelimiterCount {
  readonly #body: Buffer;
  readonly #delimiter: Buffer;
  readonly #atMost: number;
  #from = 0;
  #found = 0;
  #parts = 0;

  /** @param atMost delimiters of either kind, after which the count ends: a body full of them would take long. */
  constructor(body: Uint8Array, boundary: string, atMost: number) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
    this.#atMost = atMost;
    // The first line of the body begins without a line break.
    const first = this.#delimiter.subarray(2);
    if (this.#body.subarray(0, first.length).equals(first)) this.#add(first.length);
  }

  /** Parts announced so far. */
  get parts(): number {
    return this.#parts;
  }

  /** Goes on to the offset `end`, which rises from call to call; a delimiter that lies across it belongs to the next call. */
  countTo(end: number): void {
    const searched = this.#body.subarray(0, end);
    while (this.#found < this.#atMost) {
      const at = searched.indexOf(this.#delimiter, this.#from);
      if (at === -1) break;
      this.#add(at + this.#delimiter.length);
    }
    this.#from = Math.max(this.#from, end - this.#delimiter.length + 1);
  }

  #add(next: number): void {
    const isClosing = this.#body[next] === 0x2d && this.#body[next + 1] === 0x2d;
    this.#found += 1;
    if (!isClosing) this.#parts += 1;
    this.#from = next;
  }
}
