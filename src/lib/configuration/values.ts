import { z } from 'zod';
import { isFieldKey } from '../crypto/field-crypto.ts';

/** Schemas for the values of settings: each parses the text of an environment variable. */

export const text = z.string().min(1);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
/** URLs appear in traces and error messages, so they must not contain a password. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .refine((value) => !/^[^/]*\/\/[^/?#]*@/.test(value), { error: 'must have no user name or password' });
/** The address of a service, to whose path ours are added: a query or fragment would get lost. */
export const serviceUrl = httpUrl.refine((value) => !/[?#]/.test(value), {
  error: 'must have no query or fragment',
});
/** RFC 6750 §2.1. One that ends in a line break, as a file does, would make every request fail. */
export const bearerToken = z
  .string()
  .regex(/^[\x21-\x7E]+$/, 'must be visible ASCII characters without spaces or line breaks');
/** An account key or a shared access signature, by the parts that `BlobServiceClient.fromConnectionString` needs. */
export const storageConnection = z
  .string()
  .refine(
    (value) =>
      value.startsWith('UseDevelopmentStorage=true') ||
      hasParts(value, 'DefaultEndpointsProtocol', 'AccountName', 'AccountKey') ||
      hasParts(value, 'BlobEndpoint', 'SharedAccessSignature'),
    {
      error:
        'must be a connection string: DefaultEndpointsProtocol, AccountName and AccountKey, or BlobEndpoint and ' +
        'SharedAccessSignature',
    },
  );
/** RFC 7518 §3.2: an HS256 key has at least 256 bits; the key is the UTF-8 bytes of the text. */
export const secret = z.string().refine((value) => Buffer.byteLength(value, 'utf8') >= 32, {
  error: 'must be at least 32 bytes long',
});
export const fieldKey = z.string().refine(isFieldKey, { error: 'must be base64 of 32 bytes' });
export const origin = z.string().refine(isOrigin, {
  error: 'each must be an exact origin such as https://portal.example.org',
});

function hasParts(connection: string, ...names: string[]): boolean {
  const parts = connection.split(';').map((part) => part.trim());
  return names.every((name) => parts.some((part) => part.startsWith(`${name}=`) && part !== `${name}=`));
}

/** Converted to lower case. The all-zero GUID is refused, because it is a placeholder. */
export const guid = z
  .string()
  .regex(/^(?!0{8}-0{4}-)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a GUID')
  .transform((value) => value.toLowerCase());

/** `+44 20 7946 0018`, `116 123`, `112`: single spaces or hyphens between digits, which RFC 3966 leaves out of a `tel:` link. */
export const phoneNumber = z.string().regex(/^(?=.{2,20}$)\+?\d(?:[ -]?\d)+$/, {
  error: 'must be a telephone number of 2 to 20 characters: digits, single spaces or hyphens, + at the front',
});

/** Refuses `*`: URL parsing accepts it as a letter of the host, but no browser's origin would match. */
function isOrigin(value: string): boolean {
  return /^https?:[^*]+$/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

/** Accepts only credentials, host and port: a path or an option would be ignored, so it is a mistake. */
export function isMailUrl(value: string): boolean {
  if (!/^smtps?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { hostname, pathname, search, hash, username, password } = new URL(value);
  const isWhole = hostname !== '' && (username === '') === (password === '');
  return isWhole && ['', '/'].includes(pathname) && search === '' && hash === '';
}
