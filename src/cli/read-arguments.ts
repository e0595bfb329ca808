import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * As parseArgs. `--help` prints `usage` and ends the process.
 * @throws an error that names the wrong argument and repeats `usage`
 */
export function readArguments<T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    // Behind a full stop Node explains how to pass it as a positional argument, which no command here needs.
    const [problem = ''] = (error as Error).message.split('. ');
    throw new Error(`${problem}.\n${usage}`, { cause: error });
  }
}
