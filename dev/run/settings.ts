// The settings for a laptop, and local.settings.json, which passes them to `func start`.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { read, write } from '../services/local-state.ts';
import { readLocalValues } from './local-settings.ts';
import { isDevelopment, type Settings } from '../services/start-services.ts';

const SETTINGS = 'local.settings.json';

/**
 * Member of local.settings.json with a digest of every value that `npm run services` wrote into it; a value that
 * differs from its digest was edited by hand. Core Tools ignore unknown members.
 */
const GENERATED = 'generatedByNpmRunServices';
const digest = (value: string) => createHash('sha256').update(value).digest('base64url').slice(0, 16);

type LocalSettings = {
  Values?: Record<string, string>;
  [GENERATED]?: Record<string, string>;
};

/** Settings of the host itself, as in the cloud (infra/modules/function-app.bicep); other settings override them. */
export const hostSettings = { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: String(24 * 1024 * 1024) } as const;

/** Default values for a laptop. */
export const exampleSettings = (root: string): Record<string, string> => {
  const file = join(root, 'local.settings.example.json');
  return read<{ Values: Record<string, string> }>(file).Values ?? {};
};

/**
 * The developer's settings: the environment, then local.settings.json, then, in development, the example's values. Without
 * empty values, and without those that an earlier `npm run services` wrote to local.settings.json.
 */
export function givenSettings(root: string, environment: Settings): Record<string, string> {
  const isGenerated = generatedIn(root);
  const given = {
    ...withoutEmpty(
      Object.entries(readLocalValues(join(root, SETTINGS))).filter((entry) => !isGenerated(entry)),
    ),
    ...withoutEmpty(Object.entries(environment)),
  };
  const example = withoutEmpty(Object.entries(exampleSettings(root)));
  // Conveniences such as registering as an admin must not reach production, even on a laptop.
  return isDevelopment(given) ? { ...example, ...given } : given;
}

/** Whether `npm run services` wrote an entry of local.settings.json, rather than the developer. */
function generatedIn(root: string): (entry: [key: string, value: string]) => boolean {
  try {
    const { [GENERATED]: digests = {} } = readLocalSettings(root);
    return ([key, value]) => digests[key] === digest(value);
  } catch {
    // The file has comments, which `npm run services` never writes.
    return () => false;
  }
}

function withoutEmpty(entries: [string, string | undefined][]): Record<string, string> {
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/**
 * Writes `settings` to local.settings.json. Values edited by hand stay, and so does everything else in the file. Returns the
 * keys whose hand-edited value differs.
 * @throws when the file has comments, which rewriting would lose.
 */
export function writeLocalSettings(root: string, settings: Record<string, string>): string[] {
  const content = readLocalSettings(root);
  const present = Object.entries(content.Values ?? {});
  const isGenerated = generatedIn(root);
  const handMade = Object.fromEntries(present.filter((entry) => entry[1] !== '' && !isGenerated(entry)));
  const wanted = { ...exampleSettings(root), ...settings };
  const generated = { ...Object.fromEntries(present.filter(isGenerated)), ...wanted };
  for (const key of Object.keys(handMade)) delete generated[key];
  const digests = Object.fromEntries(Object.entries(generated).map(([key, value]) => [key, digest(value)]));
  write(
    join(root, SETTINGS),
    { IsEncrypted: false, ...content, Values: { ...generated, ...handMade }, [GENERATED]: digests },
    0o600,
  );
  return Object.keys(wanted).filter((key) => key in handMade && handMade[key] !== wanted[key]);
}

function readLocalSettings(root: string): LocalSettings {
  try {
    return read<LocalSettings>(join(root, SETTINGS));
  } catch (error) {
    throw new Error(`${(error as Error).message} Comments would be lost when settings are added to it.`, {
      cause: error,
    });
  }
}
