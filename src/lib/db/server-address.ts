import type { PoolConfig } from 'pg';
import { isLoopback } from '../network/loopback.ts';
import { createEntraToken } from './entra-token.ts';

type Address = Pick<
  PoolConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'database' | 'password' | 'ssl'
>;

/**
 * Where `url` points and how to sign in there. With a password the URL says all; without one every new connection
 * hands in what `token` gives, and, because that is a secret that others accept as well, only to a server whose
 * certificate is valid for the host named. On this machine itself the line needs no TLS.
 */
export function serverAddress(url: string, token: () => Promise<string> = createEntraToken()): Address {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  if (password !== '' || searchParams.has('password')) return { connectionString: url };
  const host = hostname.replace(/^\[(.+)\]$/, '$1');
  return {
    host,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    database: decodeURIComponent(pathname.slice(1)),
    password: token,
    ssl: !isLoopback(host),
  };
}
