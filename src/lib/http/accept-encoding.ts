/** What we compress with, best first; the last one is no compression. */
const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The encoding of `Accept-Encoding` that the client likes best and that we have (RFC 9110 §12.5.3); among equals the
 * smallest. Without the header, or where it forbids everything: none.
 */
export function preferredEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  const weights = new Map(header.split(',').map(parseCoding));
  const weightOf = (encoding: Encoding) =>
    // Without being named, `identity` is acceptable, but anything that is named is liked better.
    weights.get(encoding) ?? weights.get('*') ?? (encoding === 'identity' ? Number.MIN_VALUE : 0);
  let best: Encoding = 'identity';
  for (const encoding of encodings.toReversed()) {
    const weight = weightOf(encoding);
    if (weight > 0 && weight >= weightOf(best)) best = encoding;
  }
  return best;
}

function parseCoding(text: string): [name: string, weight: number] {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.map((parameter) => /^q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.exec(parameter)?.[1]);
  return [name === 'x-gzip' ? 'gzip' : name, Number(q.find((value) => value !== undefined) ?? 1)];
}
