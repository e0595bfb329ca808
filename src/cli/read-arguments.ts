import { parseArgs, type ParseArgsConfig } from 'node:util';

/**
 * As parseArgs. `--help` prints `usage` and ends the process. An option that is given twice is refused: parseArgs would use the
 * last and drop the others, and an operator who names two people would believe both erased.
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
    refuseRepeated(config);
    return parseArgs(config);
  } catch (error) {
    // Behind a full stop Node explains how to pass it as a positional argument, which no command here needs.
    const [problem = ''] = (error as Error).message.split(/\.(?:\s|$)/);
    throw new Error(`${problem}.\n${usage}`, { cause: error });
  }
}

function refuseRepeated(config: ParseArgsConfig): void {
  const { tokens } = parseArgs({ ...config, tokens: true });
  const isOnce = (name: string) => config.options?.[name]?.multiple !== true;
  const given = tokens.flatMap((token) =>
    token.kind === 'option' && isOnce(token.name) ? [token.name] : [],
  );
  const repeated = given.find((name, index) => given.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`Option '--${repeated}' is given twice.`);
}
