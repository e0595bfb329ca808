import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { assetUrl } from '../worker-url.ts';

export const docsAssets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'] as const;
export type DocsAsset = (typeof docsAssets)[number];

/**
 * Starts Swagger UI; a file of its own because the page's policy allows no inline script.
 *
 * Swagger UI offers a file picker for any text with a `contentMediaType`. Where that text is JSON it is shown the
 * schema of the JSON instead, so that people get its fields and a box to write it in. In lists it knows files by
 * OpenAPI 3.0's `format` only.
 */
const start = `const description = '/api/openapi.json';

function makeFillable(openapi) {
  for (const path of Object.values(openapi.paths))
    for (const { requestBody } of Object.values(path))
      for (const { schema } of Object.values(requestBody?.content ?? {}))
        for (const [name, field] of Object.entries(schema.properties ?? {})) {
          if (field.contentMediaType === 'application/json') schema.properties[name] = field.contentSchema;
          if (field.items?.contentMediaType) field.items.format = 'binary';
        }
  return openapi;
}

window.ui = SwaggerUIBundle({
  url: description,
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
  responseInterceptor(response) {
    const isDescription = response.ok && response.url.endsWith(description) && response.text;
    if (isDescription) response.text = JSON.stringify(makeFillable(JSON.parse(response.text)));
    return response;
  },
});
`;

export interface DocsFile {
  bytes: Uint8Array;
  /** Strong entity tag: changes with the bytes. */
  etag: string;
}

const read = new Map<DocsAsset, Promise<DocsFile>>();

/** A file of the documentation page; read once, because the script has more than a megabyte. */
export function readDocsAsset(name: DocsAsset): Promise<DocsFile> {
  const known = read.get(name);
  if (known !== undefined) return known;
  const file = load(name).then((bytes) => ({ bytes, etag: entityTag(bytes) }));
  read.set(name, file);
  // A failure, such as too many open files, is not remembered.
  file.catch(() => read.delete(name));
  return file;
}

/** Swagger UI's own files come from its package or from the bundle's assets. */
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

function entityTag(bytes: Uint8Array): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
}
