/** Structured log lines: one JSON object per line. Never log bodies, tokens, names, images or query strings. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
  /** A log that adds `fields`, such as the request id, to every line. */
  with(fields: LogFields): Log;
}

const rank: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/**
 * @param write receives each finished line. On Azure it is the invocation's own logger, so that the host links the line
 *   to the invocation.
 */
export function createLog(
  write: (level: LogLevel, line: string) => void,
  minimum: LogLevel = 'info',
  common: LogFields = {},
): Log {
  const at = (level: LogLevel) => (event: string, fields?: LogFields) => {
    if (rank[level] < rank[minimum]) return;
    write(level, JSON.stringify({ level, event, ...common, ...fields }));
  };
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    with: (fields) => createLog(write, minimum, { ...common, ...fields }),
  };
}

/** The `code` of an error if it is a single word: some libraries put whole replies there, including addresses. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(code) ? code : undefined;
}

/** The loggable facts of an unexpected error: its kind, code and stack frames, none of its data. */
export function describeError(error: unknown): LogFields {
  if (!(error instanceof Error)) return { error: typeof error };
  // PostgreSQL puts the row's values into `detail`, and zod the input into `message`: neither is logged.
  return { error: error.name, errorCode: errorCode(error), stack: framesOf(error).slice(0, 6).join('\n') };
}

/** The stack frames, without the message that precedes them and may itself have many lines. */
function framesOf({ stack = '', message }: Error): string[] {
  const start = stack.indexOf(message);
  if (start === -1) return [];
  const lines = stack.slice(start + message.length).split('\n');
  return lines.filter((line) => line.trim().startsWith('at '));
}
