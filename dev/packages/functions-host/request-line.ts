/** Kestrel's limit (KestrelServerLimits.MaxRequestLineSize). */
export const MAX_REQUEST_LINE_BYTES = 8192;

/** Measures a request's first line across chunks: the parser's error contains the last chunk only. */
export class RequestLine {
  #bytes = 0;
  #isWhole = false;

  restart(): void {
    this.#bytes = 0;
    this.#isWhole = false;
  }

  read(piece: Buffer): void {
    if (this.#isWhole) return;
    const end = piece.indexOf('\n');
    this.#isWhole = end !== -1;
    this.#bytes += this.#isWhole ? end : piece.length;
  }

  get isTooLong(): boolean {
    return !this.#isWhole || this.#bytes > MAX_REQUEST_LINE_BYTES;
  }
}
