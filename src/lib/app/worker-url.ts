import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';

/*
 * The app runs in two forms: as TypeScript sources (laptop, tests) and as one bundle, `dist/main.js` (Azure).
 * A bundle has no folders, so files that are loaded by URL rather than by `import` lie side by side:
 *
 *   source form                                   bundled form (written by dev/run/build.ts)
 *   src/lib/auth/password-worker.ts               dist/password-worker.js
 *   node_modules/swagger-ui-dist/swagger-ui.css   dist/assets/swagger-ui.css
 *   docs/openapi.json                             dist/assets/openapi.json
 *
 * Both functions recognise the form by the caller's `import.meta.url`: `.ts` is source. dev/run/build.ts makes an
 * entry point of every file below src/ named `*-worker.ts` and copies every asset that a literal `assetUrl('…'` names,
 * so the first argument must be a string literal. Two workers or assets with the same file name fail the build.
 */

/**
 * URL of the file that a thread or process runs, for `new Worker(workerUrl('./password-worker.ts', import.meta.url))`.
 * `file` is relative to the caller and named `*-worker.ts`; `caller` is the caller's `import.meta.url`.
 */
export function workerUrl(file: `./${string}-worker.ts`, caller: string): URL {
  if (isSource(caller)) return new URL(file, caller);
  return new URL(`./${basename(file, '.ts')}.js`, caller);
}

/**
 * URL of a file that the app reads at run time and does not import: one that a package ships, such as
 * `assetUrl('swagger-ui-dist/swagger-ui.css', import.meta.url)`, or one of the project by its path from the caller.
 */
export function assetUrl(specifier: string, caller: string): URL {
  if (isSource(caller)) return pathToFileURL(createRequire(caller).resolve(specifier));
  return new URL(`./assets/${basename(specifier)}`, caller);
}

const isSource = (caller: string) => new URL(caller).pathname.endsWith('.ts');
