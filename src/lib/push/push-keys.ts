import { createECDH, createPrivateKey } from 'node:crypto';
import { z } from 'zod';
import { httpUrl } from '../configuration/values.ts';

/** The parts of a Google service account's key file that are needed. */
const ServiceAccountFile = z.object({
  project_id: z.string().regex(/^[a-z0-9:.-]{1,64}$/),
  client_email: z.email(),
  private_key: z.string().refine(isPrivateKey),
  token_uri: httpUrl.default('https://oauth2.googleapis.com/token'),
});
export type ServiceAccount = z.output<typeof ServiceAccountFile>;

/** The key file of a service account, as the text of an environment variable. */
export const serviceAccountFile = z.string().refine((value) => readServiceAccount(value) !== undefined, {
  // What is wrong with it could quote the key.
  error: 'must be the JSON key file of a service account',
});

/** @returns undefined for a text that is no key file. */
export function readServiceAccount(file: string): ServiceAccount | undefined {
  return ServiceAccountFile.safeParse(parseJson(file)).data;
}

/** The private key of Web Push (VAPID), as the text of an environment variable. */
export const vapidKey = z.string().refine((value) => /^[A-Za-z0-9_-]{43}$/.test(value) && isVapidKey(value), {
  error: 'must be base64url of the 32 bytes of a P-256 key',
});

/** base64url of the uncompressed point: what browsers subscribe with. */
export function vapidPublicKey(privateKey: string): string {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
  return curve.getPublicKey('base64url', 'uncompressed');
}

function isVapidKey(value: string): boolean {
  try {
    return vapidPublicKey(value) !== '';
  } catch {
    return false;
  }
}

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
