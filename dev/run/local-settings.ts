// local.settings.json, as Azure's own tools read it.
import { existsSync, readFileSync } from 'node:fs';

/** The `Values` of local.settings.json; empty without such a file. Throws when Core Tools could not use it. */
export function readLocalValues(file: string): Record<string, string> {
  if (!existsSync(file)) return {};
  const { IsEncrypted, Values = {} } = parse(file);
  if (IsEncrypted === true) {
    throw new Error(`${file} is encrypted; decrypt it with "func settings decrypt" first`);
  }
  return Object.fromEntries(
    Object.entries(Values).map(([key, value]) => {
      if (!['string', 'number', 'boolean'].includes(typeof value)) {
        throw new Error(`${file}: Values.${key} must be a string, as settings are in the cloud`);
      }
      return [key, String(value)];
    }),
  );
}

/** JSON with comments and trailing commas. */
function parse(file: string): { IsEncrypted?: unknown; Values?: object } {
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  const token =
    /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*[}\]])/g;
  try {
    return JSON.parse(text.replaceAll(token, (found) => (found.startsWith('"') ? found : ''))) as object;
  } catch (error) {
    throw new Error(`${file} is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}
