export interface DemoTarget {
  isDevelopment: boolean;
  /** Whether a start of this checkout made the database itself. */
  isOurs: boolean;
  /** `--seed` was given. */
  isAsked: boolean;
}

/**
 * Why a database gets no demo users, whose passwords are public and one of whom is an admin; undefined where it gets them. An
 * address of this machine proves nothing: it may be a tunnel to a clinic's database.
 */
export function withoutDemoUsers({ isDevelopment, isOurs, isAsked }: DemoTarget): string | undefined {
  if (!isDevelopment) return 'none in production, because their passwords are public';
  if (isOurs || isAsked) return undefined;
  return 'none in a database that DATABASE_URL names (npm start -- --seed adds them)';
}
