/** Supported encodings, the smallest result first; `identity` is no compression. */
const encodings = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof encodings)[number];

/**
 * The supported encoding that the client prefers (RFC 9110 §12.5.3), among equals the smallest; `identity` without the
 * header, or when the header forbids everything.
 */
export function preferredEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity';
  const weights = new Map(header.split(',').map(parseCoding));
  const weightOf = (encoding: Encoding) =>
    // Unnamed, `identity` is acceptable but ranks below everything named.
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
