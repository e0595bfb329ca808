/** Assembles a file from views of `bytes`, joining adjacent ones, and small new segments between them. */
export function collectPieces(bytes: Uint8Array) {
  const pieces: Uint8Array[] = [];
  let from = 0;
  let to = 0;
  const flush = () => {
    if (to > from) pieces.push(bytes.subarray(from, to));
    from = to;
  };
  return {
    keep(start: number, end: number) {
      if (start !== to) {
        flush();
        from = start;
      }
      to = end;
    },
    insert(segment: Uint8Array) {
      flush();
      pieces.push(segment);
    },
    finish(): Uint8Array[] {
      flush();
      return pieces;
    },
  };
}

export type Pieces = ReturnType<typeof collectPieces>;
