// The places in a scenario's texts: `{{name.response.body.path[0]}}`, `{{$timestamp}}`, `{{resetToken}}` and the like.

/** A reply by the name that places call it. */
export interface KeptReply {
  headers: Headers;
  body: unknown;
}

/** A blank after the braces makes it the notation of Liquid, which is sent as it is. */
export const PLACE = /\{\{([^{}\s][^{}]*)\}\}/g;

/** The value at `response.body.images[0].url` or `response.headers.etag` of a reply. @throws when there is none. */
export function valueAt(name: string, path: string, { headers, body }: KeptReply): string {
  const header = /^response\.headers\.([\w-]+)$/.exec(path)?.[1];
  if (header !== undefined) return headers.get(header) ?? missing(name, path);
  const steps = path.replace(/^response\.body\.?/, '').matchAll(/\w+/g);
  let value = body;
  for (const [step] of steps) value = (value as Record<string, unknown> | undefined)?.[step];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : missing(name, path);
}

function missing(name: string, path: string): never {
  throw new Error(`The reply of ${name} has nothing at ${path}.`);
}

/** A text that is nothing but a place for a number: `{{#template.response.body.id}}`. */
export const NUMBER = /^\{\{#([^{}]+)\}\}$/;

/** `value` with every text in it, also in members of members, replaced. */
export async function mapTexts(value: unknown, fill: (text: string) => Promise<string>): Promise<unknown> {
  if (typeof value === 'string') {
    const place = NUMBER.exec(value)?.[1];
    return place === undefined ? await fill(value) : Number(await fill(`{{${place}}}`));
  }
  if (Array.isArray(value)) return await Promise.all(value.map((each) => mapTexts(each, fill)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    async ([key, each]) => [key, await mapTexts(each, fill)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
