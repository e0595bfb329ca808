/**
 * Route matching for the catch-all function, which answers 404, 405 and preflights. As in the Functions host, matching is
 * case-insensitive and ignores a trailing slash.
 */
export interface RouteLike {
  method: string;
  route: string;
}

/** The methods of `path`, including HEAD for GET and OPTIONS; empty when no route matches. */
export function methodsOf(path: string, routes: readonly RouteLike[]): string[] {
  const methods = routes.filter(({ route }) => matches(route, path)).map(({ method }) => method);
  const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods;
  return all.length === 0 ? [] : [...new Set([...all, 'OPTIONS'])].toSorted();
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
