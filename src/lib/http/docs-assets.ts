import { readFile } from 'node:fs/promises';
import { assetUrl } from '../app/worker-url.ts';
import { createStaticFile, type StaticFile } from './static-file.ts';

export const docsAssets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'] as const;
export type DocsAsset = (typeof docsAssets)[number];

/** Starts Swagger UI; a separate file because the page's content security policy allows no inline script. */
const start = `window.ui = SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
});
`;

const read = new Map<DocsAsset, Promise<StaticFile>>();

/** A file of the documentation page, read from disk once: the script is larger than a megabyte. */
export function readDocsAsset(name: DocsAsset): Promise<StaticFile> {
  const known = read.get(name);
  if (known !== undefined) return known;
  const file = load(name).then(createStaticFile);
  read.set(name, file);
  // A failure, such as too many open files, must not be cached.
  file.catch(() => read.delete(name));
  return file;
}

/** Swagger UI's files come from its package, or from the bundle's assets. */
async function load(name: DocsAsset): Promise<Uint8Array> {
  switch (name) {
    case 'start.js':
      return Buffer.from(start);
    case 'swagger-ui.css':
      return await readFile(assetUrl('swagger-ui-dist/swagger-ui.css', import.meta.url));
    case 'swagger-ui-bundle.js':
      return await readFile(assetUrl('swagger-ui-dist/swagger-ui-bundle.js', import.meta.url));
  }
}
