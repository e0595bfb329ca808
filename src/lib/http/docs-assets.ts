import { readFile } from 'node:fs/promises';
import { assetUrl } from '../worker-url.ts';

export const docsAssets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'] as const;
export type DocsAsset = (typeof docsAssets)[number];

/** Starts Swagger UI; a file of its own because the page's policy allows no inline script. */
const start = `window.ui = SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'list',
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** The files of the documentation page; Swagger UI's own come from its package or the bundle's assets. */
export async function readDocsAsset(file: DocsAsset): Promise<Uint8Array | string> {
  switch (file) {
    case 'start.js':
      return start;
    case 'swagger-ui.css':
      return await readFile(assetUrl('swagger-ui-dist/swagger-ui.css', import.meta.url));
    case 'swagger-ui-bundle.js':
      return await readFile(assetUrl('swagger-ui-dist/swagger-ui-bundle.js', import.meta.url));
  }
}
