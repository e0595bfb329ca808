/**
 * Route matching for the catch-all function, which answers 404, 405 and preflights. As in the Functions host, matching is
 * case-insensitive and ignores a trailing slash.
 */
export interface RouteLike {
  method: string;
  route: string;
  /** What its parameters can be; undefined for anything. */
  params?: { safeParse(given: unknown): { success: boolean } } | undefined;
}

/**
 * The methods of `path`, including HEAD for GET and OPTIONS; empty when no route matches. At an address without parameters, such
 * as `items/search`, those of `items/{id}` count only where `search` can be an id.
 */
export function methodsOf(path: string, routes: readonly RouteLike[]): string[] {
  const matching = routes.filter(({ route }) => matches(route, path));
  const taken = matching.some(isLiteral) ? matching.filter((route) => accepts(route, path)) : matching;
  const methods = taken.map(({ method }) => method);
  const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return all.length === 0 ? [] : [...new Set([...all, 'OPTIONS'])].toSorted();
}

/** The addresses of other routes that `route` matches, though they are none of its own. */
export const foreignAddresses = (route: RouteLike, routes: readonly RouteLike[]): string[] =>
  routes
    .filter((other) => isLiteral(other) && matches(route.route, other.route) && !accepts(route, other.route))
    .map((other) => other.route);

const isLiteral = ({ route }: RouteLike): boolean => !route.includes('{');

function accepts({ route, params }: RouteLike, path: string): boolean {
  if (params === undefined) return true;
  const given = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  const values = route.split('/').flatMap((segment, position): [string, string][] => {
    if (segment.startsWith('{*')) return [[segment.slice(2, -1), given.slice(position).join('/')]];
    return segment.startsWith('{') ? [[segment.slice(1, -1), given[position] ?? '']] : [];
  });
  return params.safeParse(Object.fromEntries(values)).success;
}

/** Whether a path such as `/api/auth/me` matches a template such as `api/items/{id}` or `files/{*path}`. */
export function matches(route: string, path: string): boolean {
  const wanted = route.split('/');
  const given = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  for (const [position, segment] of wanted.entries()) {
    if (segment.startsWith('{*')) return true;
    const part = given[position];
    if (part === undefined || part === '') return false;
    const isParameter = segment.startsWith('{');
    if (!isParameter && segment.toLowerCase() !== part.toLowerCase()) return false;
  }
  return given.length === wanted.length;
}
