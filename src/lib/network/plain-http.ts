import { isLoopback } from './loopback.ts';

/** Whether requests to `address` would cross a network unencrypted: the scheme is http and the host is not loopback. */
export function isPlainHttp(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * Whether a connection string of Azure Storage or Application Insights can lead to plain http. The library decides which
 * of duplicate or misspelt parts counts, so one http address anywhere makes this true.
 */
export function connectsByPlainHttp(connectionString: string): boolean {
  if ([...connectionString.matchAll(/http:[^;]*/gi)].some(([address]) => isPlainHttp(address))) return true;
  // Without an endpoint the library builds the address from protocol and account. It reads the first BlobEndpoint, in
  // exactly this spelling.
  const endpoint = /(?:^|;)\s*BlobEndpoint=([^;]*)/.exec(connectionString)?.[1]?.trim();
  return /DefaultEndpointsProtocol=\s*http\s*(?:;|$)/i.test(connectionString) && !endpoint;
}
