import { readFile } from 'node:fs/promises';
import { assetUrl } from '../app/worker-url.ts';
import { createStaticFile, type StaticFile } from './static-file.ts';

let read: Promise<StaticFile> | undefined;

/** The OpenAPI document that was generated with the endpoints, without its indentation; read when first asked for. */
export function readOpenApiDocument(): Promise<StaticFile> {
  const file = (read ??= load());
  // A failure, such as too many open files, is not remembered.
  file.catch(() => (read = undefined));
  return file;
}

async function load(): Promise<StaticFile> {
  const text = await readFile(assetUrl('../../../docs/openapi.json', import.meta.url), 'utf8');
  return createStaticFile(Buffer.from(JSON.stringify(JSON.parse(text))));
}
