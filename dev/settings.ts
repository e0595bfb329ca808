// The settings that a laptop runs with, and local.settings.json, which carries them to `func start`.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readAppFiles } from './host/settings.ts';
import { read, write } from './services/kept.ts';
import type { Settings } from './services/start-services.ts';

/** What `npm run services` wrote last; a value in local.settings.json that differs from it is hand-made. */
const GENERATED = join('.local', 'generated-settings.json');
const SETTINGS = 'local.settings.json';

/** Values that hold on a laptop where nobody says otherwise. */
export const exampleSettings = (root: string): Record<string, string> => {
  const file = join(root, 'local.settings.example.json');
  return read<{ Values: Record<string, string> }>(file).Values ?? {};
};

/**
 * What people have set: the environment, then local.settings.json, then the example's values. Left out are empty
 * values, and those in local.settings.json that an earlier `npm run services` wrote there.
 */
export function givenSettings(root: string, environment: Settings): Record<string, string> {
  const generated = read<Record<string, string>>(join(root, GENERATED));
  const handMade = Object.entries(readAppFiles(root).values).filter(
    ([key, value]) => generated[key] !== value,
  );
  return {
    ...exampleSettings(root),
    ...withoutEmpty(handMade),
    ...withoutEmpty(Object.entries(environment)),
  };
}

function withoutEmpty(entries: [string, string | undefined][]): Record<string, string> {
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''),
  );
}

/**
 * Puts `settings` into local.settings.json. Values that somebody wrote there stay, and so does everything else in
 * the file. Returns the keys that kept a value of their own.
 * @throws when the file has comments, which rewriting would lose.
 */
export function writeLocalSettings(root: string, settings: Record<string, string>): string[] {
  const file = join(root, SETTINGS);
  const generated = read<Record<string, string>>(join(root, GENERATED));
  const content = existsSync(file) ? parsePlain(file) : { IsEncrypted: false };
  const present = (content['Values'] ?? {}) as Record<string, string>;
  const wanted = { ...exampleSettings(root), ...settings };
  const isHandMade = (key: string) => key in present && present[key] !== generated[key];
  const kept = Object.keys(wanted).filter((key) => isHandMade(key) && present[key] !== wanted[key]);
  const written = Object.fromEntries(Object.entries(wanted).filter(([key]) => !isHandMade(key)));
  write(file, { ...content, Values: { ...present, ...written } }, 0o600);
  write(join(root, GENERATED), written, 0o600);
  return kept;
}

function parsePlain(file: string): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw new Error(
      `${file} is not plain JSON (${(error as Error).message}). Remove its comments, or put the settings there by hand.`,
      { cause: error },
    );
  }
}
