import type { Fetch } from './session.ts';

/** From 0 to 1: how much of the request has been sent. The reply follows once the gateway has stored the photos. */
export type ProgressListener = (fraction: number) => void;

// Declared here rather than by TypeScript's `dom` library: Node projects compile these sources without browser globals.
interface Xhr extends EventTarget {
  readonly upload: EventTarget;
  readonly status: number;
  readonly response: Blob | null;
  responseType: string;
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
}
const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest?: new () => Xhr };

/** Whether this platform reports the progress of an upload: browsers do, by XMLHttpRequest, and Node does not. */
export const reportsProgress = XMLHttpRequest !== undefined;

/** A `fetch` that reports how much of the body has been sent. */
export function fetchWithProgress(onProgress: ProgressListener): Fetch {
  return async (request) => {
    const { method, url, headers, signal } = request;
    const body = await request.blob();
    signal.throwIfAborted();
    if (XMLHttpRequest === undefined) throw new TypeError('This platform has no XMLHttpRequest.');
    const xhr = new XMLHttpRequest();
    xhr.open(method, url);
    headers.forEach((value, name) => xhr.setRequestHeader(name, value));
    xhr.responseType = 'blob';
    xhr.upload.addEventListener('progress', (event) => {
      const { loaded, total } = event as Event & { loaded: number; total: number };
      onProgress(total === 0 ? 1 : loaded / total);
    });
    return await new Promise<Response>((resolve, reject) => {
      // Not every reply of a proxy makes a `Response`: it rejects then.
      xhr.addEventListener('load', () => void (async () => responseOf(xhr))().then(resolve, reject));
      xhr.addEventListener('error', () => reject(new TypeError('The connection broke.')));
      const abort = () => {
        xhr.abort();
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort);
      xhr.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
      xhr.send(body);
    });
  };
}

function responseOf(xhr: Xhr): Response {
  const lines = xhr.getAllResponseHeaders().trim().split(/\r\n/);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const body = xhr.status === 204 ? null : xhr.response;
  return new Response(body, { status: xhr.status, headers });
}
