import pg from 'pg';
import { isLoopback } from '../network/loopback.ts';
import { serverAddress } from './server-address.ts';

export type ServerTls =
  /** Encrypted, to a server whose certificate is valid for its name. */
  | 'verified'
  /** Encrypted, to any server that answers. */
  | 'unverified'
  | 'off'
  /** Off, and the server is this machine. */
  | 'local';

/**
 * How a connection to `url` is protected, by what the driver makes of it: of duplicate and contradicting parameters, of
 * `host` as a parameter, of modes that it does not know.
 * @throws when the driver cannot use `url`, for example because it names a certificate file that cannot be read. The
 *   error may carry parts of `url`.
 */
export function serverTls(url: string): ServerTls {
  // Without an `ssl` of ours the driver would ask PGSSLMODE; the address has to say it itself.
  const client = new pg.Client({ ssl: false, ...serverAddress(url, async () => '') });
  const { host } = client;
  const ssl: unknown = client.ssl;
  if (ssl === true) return 'verified';
  if (typeof ssl === 'object' && ssl !== null) {
    const checked =
      !('checkServerIdentity' in ssl) && !('rejectUnauthorized' in ssl && !ssl.rejectUnauthorized);
    return checked ? 'verified' : 'unverified';
  }
  if (ssl !== false) throw new Error('the driver cannot use this ssl');
  return host.startsWith('/') || isLoopback(host) ? 'local' : 'off';
}

/** Whether a parameter of `url` asks for a connection without TLS, or permits one by the rules of libpq. */
export function waivesTls(url: string): boolean {
  return [...new URL(url).searchParams].some(
    ([key, value]) =>
      (/^sslmode$/i.test(key) && /^(?:disable|allow|prefer)$/i.test(value)) ||
      (/^ssl$/i.test(key) && /^(?:0|false|no|off|disable)$/i.test(value)),
  );
}
