// The request target as Kestrel and ASP.NET Core read it: what they decode, preserve and refuse.
// Sources: dotnet/aspnetcore, Kestrel's PathNormalizer.cs and UrlDecoder.cs, Http.Abstractions' PathString.cs,
// Shared/QueryStringEnumerable.cs.

/** `path` is decoded and without dot segments; `query` is as sent, with its "?", which may be all of it. */
export type Target = { path: string; query: string };

/** Undefined when Kestrel refuses the target with 400. */
export function parseTarget(raw: string): Target | undefined {
  // oxlint-disable-next-line no-control-regex -- these are the characters to refuse
  if (/[^\x21-\x7e]/.test(raw)) return undefined;
  const target = raw.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = target.indexOf('?');
  const rawPath = (mark === -1 ? target : target.slice(0, mark)) || '/';
  const query = mark === -1 ? '' : target.slice(mark);
  if (!rawPath.startsWith('/')) return { path: rawPath, query };
  let path = rawPath.includes('%') ? percentDecode(rawPath, '%2f') : rawPath;
  if (path.includes('\0')) return undefined;
  if (path.includes('/.')) path = withoutDotSegments(path);
  return { path, query };
}

/** Decodes every escape that is valid UTF-8, except `kept` (in lower case); the rest stays as it is. */
export function percentDecode(text: string, kept = ''): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (run) => {
    let decoded = '';
    for (let index = 0; index < run.length;) {
      const escape = run.slice(index, index + 3);
      const lead = Number.parseInt(escape.slice(1), 16);
      const bytes = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      const sequence = run.slice(index, index + 3 * bytes);
      const character = escape.toLowerCase() === kept ? undefined : decodeSequence(sequence);
      decoded += character ?? escape;
      index += character === undefined ? escape.length : sequence.length;
    }
    return decoded;
  });
}

function decodeSequence(sequence: string): string | undefined {
  try {
    return decodeURIComponent(sequence);
  } catch {
    return undefined;
  }
}

/** RFC 3986, section 5.2.4. */
function withoutDotSegments(path: string): string {
  const kept: string[] = [];
  const segments = path.split('/').slice(1);
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    if (segment === '..') kept.pop();
    if (segment !== '.' && segment !== '..') kept.push(segment);
    else if (last) kept.push('');
  }
  return `/${kept.join('/')}`;
}

/** The path for `request.url`: preserves escapes that survived decoding and encodes the rest again. */
export function encodePath(path: string): string {
  return path.replaceAll(/%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/%]+/gi, encodeURIComponent);
}

/** From this many names on, ASP.NET Core stores a query differently (AdaptiveCapacityDictionary.cs). */
const FEW_NAMES = 10;

/**
 * Names are case-insensitive, and the values of a repeated name are joined by a comma. Its spelling is that of its second
 * use, which overwrites the first entry; among many names, that of its first use.
 *
 * @param query with or without its "?"
 */
export function parseQuery(query: string): Record<string, string> {
  const entries = new Map<string, { name: string; values: string[] }>();
  for (const pair of query.replace(/^\?/, '').split('&')) {
    if (pair === '') continue;
    const mark = pair.indexOf('=');
    const name = formDecode(mark === -1 ? pair : pair.slice(0, mark));
    const value = mark === -1 ? '' : formDecode(pair.slice(mark + 1));
    const key = ordinalKey(name);
    const entry = entries.get(key);
    if (entry === undefined) {
      entries.set(key, { name, values: [value] });
      continue;
    }
    if (entry.values.length === 1 && entries.size <= FEW_NAMES) entry.name = name;
    entry.values.push(value);
  }
  return Object.fromEntries(Array.from(entries.values(), ({ name, values }) => [name, values.join(',')]));
}

/** Equal for names equal under .NET's OrdinalIgnoreCase, which compares upper case, code unit by code unit. */
function ordinalKey(name: string): string {
  return name.replaceAll(/[^\0-\x40\x5b-\x60\x7b-\x7f]/g, (unit) => {
    const upper = unit.toUpperCase();
    return upper.length === 1 ? upper : unit;
  });
}

function formDecode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  return spaced.includes('%') ? percentDecode(spaced) : spaced;
}
