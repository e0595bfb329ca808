import { isLoopback } from './loopback.ts';

/** Whether requests to `address` would cross a network unencrypted: http, and not to this machine. */
export function isPlainHttp(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !isLoopback(hostname);
}

/**
 * Whether a connection string of Azure Storage or Application Insights leads to plain http. Which part of duplicate or
 * misspelt ones counts is up to the library, so that an address anywhere in it may betray the string.
 */
export function connectsByPlainHttp(connectionString: string): boolean {
  if ([...connectionString.matchAll(/http:[^;]*/gi)].some(([address]) => isPlainHttp(address))) return true;
  // Without an endpoint the address is made of protocol and account. The library takes the first, in this spelling only.
  const endpoint = /(?:^|;)\s*BlobEndpoint=([^;]*)/.exec(connectionString)?.[1]?.trim();
  return /DefaultEndpointsProtocol=\s*http\s*(?:;|$)/i.test(connectionString) && !endpoint;
}
