import { endpoints } from '../../src/endpoints.ts';
import type { AnyEndpoint } from '../../src/lib/http/endpoint.ts';
import { from } from '../support/accounts.ts';
import type { RequestOptions, TestApp } from '../support/app.ts';
import { multipart, type Part } from '../support/multipart.ts';
import { sampleRequestId } from './sample-values.ts';

export type Answering = Pick<TestApp, 'request'>;

/** A request of one operation. At most one of `json`, `form` and `raw`. */
export interface Sent {
  operation: string;
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  token?: string | undefined;
  json?: unknown;
  form?: readonly Part[];
  /** Sent as JSON without being any, or as another `type`. */
  raw?: string | Uint8Array | ReadableStream;
  type?: string;
}

export function endpointOf(operation: string): AnyEndpoint {
  const endpoint = endpoints.find(({ name }) => name === operation);
  if (endpoint === undefined) throw new Error(`no operation ${operation}`);
  return endpoint;
}

export async function send(app: Answering, sent: Sent): Promise<Response> {
  const { route, method } = endpointOf(sent.operation);
  const path = route.replaceAll(/\{(\w+)\}/g, (_place, name: string) => sent.params?.[name] ?? '');
  const query = new URLSearchParams(sent.query).toString();
  return await app.request(`/${path}${query === '' ? '' : `?${query}`}`, {
    method,
    ...(sent.token !== undefined && { token: sent.token }),
    ...bodyOf(sent),
    headers: {
      'x-request-id': sampleRequestId,
      'user-agent': 'DermagatePortal/1.0',
      ...from('203.0.113.7'),
      ...typeOf(sent),
      ...sent.headers,
    },
  });
}

function bodyOf({ json, form, raw }: Sent): RequestOptions {
  if (json !== undefined) return { json };
  if (form !== undefined) return { body: multipart(form).body };
  if (raw === undefined) return {};
  return { body: raw as string, ...(raw instanceof ReadableStream && { duplex: 'half' }) };
}

function typeOf({ form, raw, type = 'application/json' }: Sent): Record<string, string> {
  if (form !== undefined) return { 'content-type': multipart([]).contentType };
  return raw === undefined ? {} : { 'content-type': type };
}
