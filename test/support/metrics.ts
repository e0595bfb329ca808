import type { TestApp } from './app.ts';

/** The first sample of a metric with these labels at GET /metrics; NaN where there is none. */
export async function sampleOf(
  app: Pick<TestApp, 'request'>,
  name: string,
  labels: Record<string, string> = {},
): Promise<number> {
  const text = await (await app.request('/metrics')).text();
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
  const found = text
    .split('\n')
    .find((line) => line.startsWith(name) && pairs.every((pair) => line.includes(pair)));
  return Number(found?.split(' ').at(-1) ?? Number.NaN);
}
