const WIDTH = 110;

/** JSON in which what fits stands on one line: a third of the lines of `JSON.stringify`, and changes are as easy to read. */
export function formatJson(value: unknown, indent = '', before = 0): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + before + line.length < WIDTH)
    return line;
  const deeper = `${indent}  `;
  const members = Array.isArray(value)
    ? value.map((each) => formatJson(each, deeper))
    : Object.entries(value)
        .filter(([, each]) => each !== undefined)
        .map(([key, each]) => `${JSON.stringify(key)}: ${formatJson(each, deeper, key.length + 4)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${members.map((each) => `${deeper}${each}`).join(',\n')}\n${indent}${close}`;
}
