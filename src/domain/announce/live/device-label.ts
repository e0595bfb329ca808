// The first that fits counts: Edge also says Chrome, and Chrome says Safari.
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
] as const;

const firstIn = (list: readonly (readonly [string, RegExp])[], agent: string): string | undefined =>
  list.find(([, pattern]) => pattern.test(agent))?.[0];

/** What people call the device of a session, such as `Firefox, Windows`; null where its `User-Agent` does not say. */
export function deviceLabel(agent: string | null): string | null {
  if (agent === null) return null;
  const names = [firstIn(browsers, agent), firstIn(systems, agent)].filter((name) => name !== undefined);
  return names.length === 0 ? null : names.join(', ');
}
