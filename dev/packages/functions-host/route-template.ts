// ASP.NET Core route templates, compiled to regular expressions: of their grammar the part that an app here uses.

/** Takes a decoded path with its leading slash; returns the route values, or undefined without a match. */
export type RouteTemplate = (path: string) => Record<string, string> | undefined;

/**
 * Compiles a template such as `api/users/{id}` or `api/files/{*path}`. The match ignores letter case and one trailing slash; a
 * `{*path}` may match nothing. Throws for any other grammar, such as constraints, which Azure would apply.
 */
export function compileTemplate(template: string): RouteTemplate {
  const names: string[] = [];
  const segments = template.split('/');
  const parts = segments.map((segment, index) => {
    const [, star, name] = /^\{(\*?)(\w+)\}$/.exec(segment) ?? [];
    if (name !== undefined) names.push(name);
    if (star === '*' && index === segments.length - 1) return '(?:/([^/].*))?';
    if (star === '') return '/([^/]+)';
    if (!/^[^{}*?]+$/.test(segment)) {
      throw new Error(`"${segment}" is neither a text, nor {name}, nor {*name} at the end`);
    }
    return `/${segment.replaceAll(/[\\^$.+()[\]|]/g, String.raw`\$&`)}`;
  });
  const pattern = new RegExp(`^${parts.join('')}/?$`, 'is');
  return (path) => {
    const values = pattern.exec(path)?.slice(1) as (string | undefined)[] | undefined;
    if (!values) return undefined;
    const found = names.map((name, index) => [name, values[index]] as const);
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== undefined));
  };
}
