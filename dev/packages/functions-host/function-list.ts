import type { FunctionInfo } from './router.ts';

/** The list of functions as Core Tools prints it at start-up; `url` has no trailing slash. */
export function functionList(functions: FunctionInfo[], url: string): string {
  if (functions.length === 0) return '\nNo functions are served.\n';
  const lines = functions.map(({ name, trigger, methods, route, error }) => {
    const allowed = methods ? `[${methods.join(',')}] ` : '';
    const what = route === undefined ? trigger : `${allowed}${url}/${route}`;
    return `\t${name}: ${what}${error === undefined ? '' : ` (not served: ${error})`}\n`;
  });
  return `\nFunctions:\n\n${lines.join('\n')}`;
}
