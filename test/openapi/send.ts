import { createRequestCheck } from '../../dev/tools/contract/request-faults.ts';
import { endpoints } from '../../src/endpoints.ts';
import type { AnyEndpoint } from '../../src/lib/http/endpoint.ts';
import { createOpenApiDocument } from '../../src/lib/openapi/document.ts';
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

const contract = createRequestCheck(createOpenApiDocument(endpoints));

function targetOf({ operation, params, query }: Sent): string {
  const { route } = endpointOf(operation);
  const path = route.replaceAll(/\{(\w+)\}/g, (_place, name: string) => params?.[name] ?? '');
  const search = new URLSearchParams(query).toString();
  return `/${path}${search === '' ? '' : `?${search}`}`;
}

/** @throws for a request with anything that the operation does not have: the gateway ignores what it does not know. */
export function refuseMisspelt(sent: Sent): void {
  const { method } = endpointOf(sent.operation);
  const form = sent.form && new FormData();
  for (const { name = '', body } of sent.form ?? [])
    form?.append(name, typeof body === 'string' ? body : new Blob([new Uint8Array(body)]));
  const faults = contract.faultsOf({ method, target: targetOf(sent), body: form ?? sent.json });
  if (faults.length > 0) throw new Error(`${sent.operation}: ${faults.join('; ')}`);
}

export async function send(app: Answering, sent: Sent): Promise<Response> {
  return await app.request(targetOf(sent), {
    method: endpointOf(sent.operation).method,
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
