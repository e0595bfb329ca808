import { createInterface } from 'node:readline/promises';
import { migrateToLatest, OtherMigrations } from '../../src/cli/migrate.ts';

/** Answers a question of yes and no. */
export type Ask = (question: string) => Promise<boolean>;

export interface MigrationOptions {
  /** Puts an empty database in place of one that a start made itself; undefined where DATABASE_URL names the database. */
  replace: (() => Promise<void>) | undefined;
  /** Replace it in any case. */
  fresh: boolean;
  /** Undefined where no one sits at a terminal. */
  ask: Ask | undefined;
  /** As typed: `npm start`. */
  command: string;
  report: (line: string) => void;
}

/**
 * Brings the database to the migrations of this checkout. Until a version is released they are edited, so that a database may
 * have been made by others: one that a start made itself holds demo data, and is replaced when its owner agrees; one that
 * DATABASE_URL names is never replaced.
 * @returns the names of the migrations that were applied.
 * @throws an error that names the database, and says what to do.
 */
export async function migrateDatabase(databaseUrl: string, options: MigrationOptions): Promise<string[]> {
  const { replace, fresh, ask, command, report } = options;
  const name = nameOf(databaseUrl);
  if (fresh && replace === undefined) {
    throw new Error(
      `--fresh replaces only a database that ${command} made itself. DATABASE_URL names ${name}, which is never replaced: ` +
        'leave out one of the two.',
    );
  }
  if (fresh) report(`Replacing the database ${name} and its demo data …`);
  if (fresh) await replace?.();
  report(`Migrating the database ${name} …`);
  try {
    return (await migrateToLatest(databaseUrl)).applied;
  } catch (error) {
    if (error instanceof OtherMigrations && replace !== undefined) {
      const made = `The database ${name} was made by other migrations: ${error.differences}.`;
      if (ask === undefined) {
        throw new Error(`${made} \`${command} -- --fresh\` replaces it; its data is demo data.`, {
          cause: error,
        });
      }
      if (!(await ask(`${made} Replace it? Its data is demo data.`))) {
        throw new Error(
          `The database ${name} stays as it is. Go back to the checkout that made it; this one needs another.`,
          { cause: error },
        );
      }
      report(`Replacing the database ${name} …`);
      await replace();
      return (await migrateToLatest(databaseUrl)).applied;
    }
    throw new Error(`The database ${name} cannot be migrated: ${(error as Error).message}`, { cause: error });
  }
}

function nameOf(databaseUrl: string): string {
  if (!/^postgres(ql)?:\/\/./.test(databaseUrl) || !URL.canParse(databaseUrl)) {
    throw new Error(
      'DATABASE_URL is not an address of the form postgresql://user:password@host:port/database.',
    );
  }
  const { host, pathname } = new URL(databaseUrl);
  return `${host}${pathname}`;
}

/** Undefined unless both ends are a terminal. Anything but a yes is a no. */
export function askOnTerminal(
  input: NodeJS.ReadableStream & { isTTY?: boolean } = process.stdin,
  output: NodeJS.WritableStream & { isTTY?: boolean } = process.stdout,
): Ask | undefined {
  if (input.isTTY !== true || output.isTTY !== true) return undefined;
  return async (question) => {
    // Without the line editor Ctrl-C stays a signal, which ends the start.
    const terminal = createInterface({ input, output, terminal: false });
    try {
      const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
      return /^y(es)?$/i.test((await Promise.race([terminal.question(`${question} [y/N] `), ended])).trim());
    } finally {
      terminal.close();
    }
  };
}
