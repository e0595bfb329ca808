import { parseArgs } from 'node:util';

export const USAGE = `usage: npm run calibrate -- [--scin DIR] [--pad DIR] [--write]     (see dev/tools/calibrate/README.md)
  --scin DIR   folder with scin_cases.csv and scin_labels.csv, or SCIN_DIR in the environment
  --pad DIR    folder with metadata.csv of PAD-UFES-20, or PAD_DIR in the environment
  --write      store what was fitted in dev/apps/ai-service/data/calibration.json`;

export interface Arguments {
  scin: string;
  pad: string;
  write: boolean;
}

/** The arguments are invalid; the message names the reason. */
export class UsageError extends Error {}

/** @returns undefined for `--help`. @throws {UsageError} */
export function readArguments(
  given: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Arguments | undefined {
  const values = parse(given);
  if (values.help === true) return undefined;
  const scin = values.scin ?? environment['SCIN_DIR'];
  const pad = values.pad ?? environment['PAD_DIR'];
  if (!scin || !pad) throw new UsageError('Give both data sets: --scin DIR and --pad DIR.');
  return { scin, pad, write: values.write === true };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({ args: [...args], options: { scin: text, pad: text, write: flag, help: flag } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}
