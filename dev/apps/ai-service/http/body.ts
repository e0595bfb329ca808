import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal.ts';

/**
 * The whole body. Bytes beyond `limit` are read and dropped, so that a client that is still sending can read the refusal.
 */
export function readBody(request: IncomingMessage, limit: number, signal: AbortSignal): Promise<Buffer> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new Refusal(415, 'unsupported_media_type', 'Compressed bodies are not accepted.');
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const giveUp = () => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else reject(new Refusal(413, 'payload_too_large', `The body is larger than ${limit} bytes.`));
    });
    request.on('end', () => {
      signal.removeEventListener('abort', giveUp);
      resolve(Buffer.concat(chunks));
    });
    request.on('error', reject);
    if (signal.aborted) giveUp();
  });
}

/** The media type without its parameters, in lower case; empty when there is none. */
export function mediaType(request: IncomingMessage): string {
  return (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Reads a JSON object. Anything else, valid JSON or not, is 400. */
export async function readJsonObject(
  request: IncomingMessage,
  limit: number,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (mediaType(request) !== 'application/json') {
    throw new Refusal(415, 'unsupported_media_type', 'The body must be application/json.');
  }
  const bytes = await readBody(request, limit, signal);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal(400, 'malformed_json', 'The body is not JSON in UTF-8.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Refusal(400, 'malformed_json', 'The body must be a JSON object.');
  }
  return value as Record<string, unknown>;
}
