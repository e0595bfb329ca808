// Bodies of a route's maximum size, built to be slow to read. Shared by the benchmark and the tests.

export interface HostileBody {
  name: string;
  contentType: string;
  /** Builds the body on demand: all of them together would take a quarter of a gigabyte. */
  make(): Buffer<ArrayBuffer>;
}

const json = (name: string, make: () => Buffer<ArrayBuffer>): HostileBody => ({
  name,
  contentType: 'application/json',
  make,
});

/** `head`, as many `piece` as fit, and `tail`. */
function filled(bytes: number, head: string, piece: string | Buffer, tail: string): Buffer<ArrayBuffer> {
  const body = Buffer.alloc(bytes, ' ');
  const from = body.write(head);
  const size = Buffer.byteLength(piece);
  const until = from + Math.floor((bytes - from - tail.length) / size) * size;
  if (until > from) body.fill(piece, from, until);
  body.write(tail, until);
  return body;
}

/** `head`, then `member(0)`, `member(1)`, … as long as they fit, and `tail`. */
function counted(
  bytes: number,
  head: string,
  member: (index: number) => string,
  tail: string,
): Buffer<ArrayBuffer> {
  const body = Buffer.alloc(bytes, ' ');
  let at = body.write(head);
  for (let index = 0; ; index += 1) {
    const next = member(index);
    if (at + next.length + tail.length > bytes) break;
    at += body.write(next, at);
  }
  // The tail replaces the last comma.
  body.write(tail, at - 1);
  return body;
}

/** JSON of `bytes` bytes each. */
export function hostileJson(bytes: number): readonly HostileBody[] {
  const image = '{"imageData":"';
  return [
    json('base64 of no image', () => filled(bytes, image, 'A', '"}')),
    json('base64 with escaped slashes', () => filled(bytes, image, `${'A'.repeat(62)}\\/`, '"}')),
    json('base64 of nothing but escaped slashes', () => filled(bytes, image, '\\/', '"}')),
    json('base64 with the plus signs of .NET', () => filled(bytes, image, `${'A'.repeat(26)}\\u002B`, '"}')),
    json('one string of escaped backslashes', () => filled(bytes, image, '\\\\', '"}')),
    json('one string of escapes behind a slash', () => filled(bytes, `${image}\\/`, '\\\\', '"}')),
    json('one string of \\u escapes', () => filled(bytes, image, '\\u05d0', '"}')),
    json('one string of three-byte characters', () => filled(bytes, image, Buffer.from('\u20ac'), '"}')),
    json('one string of spaces', () => filled(bytes, image, ' ', '"}')),
    json('a string without an end', () => filled(bytes, image, '\\"', '')),
    json('white space only', () => filled(bytes, '{', ' ', '}')),
    json('a number of many digits', () => filled(bytes, '{"imageData":', '1', '}')),
    json('"[" again and again', () => filled(bytes, '', '[', '')),
    json('"[]," again and again', () => filled(bytes, '[', '[],', '0]')),
    json('"{}," again and again', () => filled(bytes, '[', '{},', '0]')),
    json('zeros in a list', () => filled(bytes, '{"imageData":[', '0,', '0]}')),
    json('empty strings in a list', () => filled(bytes, '{"imageData":[', '"",', '0]}')),
    json('strings of 60 kB in a list', () =>
      filled(bytes, '{"imageData":[', `"${'\\\\'.repeat(30_000)}",`, '0]}'),
    ),
    json('a million keys', () => counted(bytes, '{', (index) => `"key-${index}":0,`, '}')),
    json('a million keys like integers', () =>
      counted(bytes, '{', (index) => `"${(index * 2_654_435_761) % 4_294_967_291}":0,`, '}'),
    ),
    json('a million keys with escapes', () => counted(bytes, '{', (index) => `"\\u0061${index}":0,`, '}')),
    json('one key as long as the body', () => filled(bytes, '{"', 'k', '":0}')),
  ];
}

/** Forms of `bytes` bytes each, whose content almost matches the boundary, which keeps the parser busy. */
export function hostileForms(bytes: number): readonly HostileBody[] {
  const disposition = 'Content-Disposition: form-data; name="image"; filename="a.png"';
  const form = (name: string, boundary: string, content: string): HostileBody => ({
    name,
    contentType: `multipart/form-data; boundary=${boundary}`,
    make: () => filled(bytes, `--${boundary}\r\n${disposition}\r\n\r\n`, content, `\r\n--${boundary}--\r\n`),
  });
  return [
    form('a form whose content is its boundary’s letter', 'a'.repeat(70), 'a'),
    form('a form of line breaks and dashes', 'xyz', '\r\n--'),
    form('a form of almost-boundaries', 'b'.repeat(70), `\r\n--${'b'.repeat(69)}c`),
    form('a form of empty parts', 'xyz', '\r\n--xyz\r\n\r\n'),
    form('a form of boundaries', 'xyz', '\r\n--xyz'),
    form('a form of unknown parts', 'xyz', '\r\n--xyz\r\nContent-Disposition: form-data; name="q"\r\n\r\n'),
  ];
}
