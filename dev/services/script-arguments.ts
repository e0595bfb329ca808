import type { parseArgs, ParseArgsConfig } from 'node:util';
import { readArguments } from '../../src/cli/read-arguments.ts';

/** As readArguments, for scripts that do nothing else before: a wrong argument ends the process, with its name and the usage. */
export function scriptArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  try {
    return readArguments(usage, config);
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}
