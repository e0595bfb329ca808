/** Browsers whose user agent names others too come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh|Mac OS X/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

const firstOf = (named: typeof browsers, userAgent: string) =>
  named.find(([form]) => form.test(userAgent))?.[1];

/**
 * What people call a device, such as `Firefox · Windows`. User agents are no more reliable than that.
 * @returns undefined where nothing is recognised.
 */
export function deviceName(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined;
  const parts = [firstOf(browsers, userAgent), firstOf(systems, userAgent)].filter(Boolean);
  return parts.length === 0 ? undefined : parts.join(' · ');
}
