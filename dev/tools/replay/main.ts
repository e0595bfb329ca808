// npm run replay: posts the rows of public data sets through a running gateway and reports the results.
import { type Arguments, readArguments, USAGE, UsageError } from './arguments.ts';
import { type Gateway, openGateway } from './gateway.ts';
import { readPad } from './pad.ts';
import { createProgress } from './progress.ts';
import type { DataSet, ReplayCase } from './replay-case.ts';
import { type CaseOutcome, replayOne, routes } from './replay-one.ts';
import { allAnswered, report } from './report.ts';
import { readScin } from './scin.ts';

async function replay({
  dataSet,
  folder,
  url,
  concurrency,
  limit,
  ...credentials
}: Arguments): Promise<number> {
  const { name, cases: all } = dataSet === 'scin' ? readScin(folder) : readPad(folder);
  const gateway = await openGateway(url, credentials);
  const cases = await withAcceptedImages(all.slice(0, limit), gateway);
  console.log(describe({ name, cases }, url, concurrency));

  const startedAt = performance.now();
  const outcomes = await replayAll(cases, gateway, concurrency);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const stopped =
    outcomes.length < cases.length ? `stopped after ${outcomes.length} of ${cases.length} cases` : '';
  const busy = gateway.waits() > 0 ? `waited ${gateway.waits()} times because the gateway was busy` : '';
  console.log(report(outcomes));
  console.log(`\n${[`${outcomes.length} cases in ${seconds} s`, stopped, busy].filter(Boolean).join(', ')}.`);
  return allAnswered(outcomes) ? 0 : 1;
}

function describe({ name, cases }: DataSet, url: string, concurrency: number): string {
  const photos = cases.filter(({ photo }) => photo !== undefined).length;
  const labelled = cases.filter(({ label }) => label !== undefined).length;
  return `${name}: ${cases.length} cases, ${labelled} with a label of the catalogue, ${photos} with a photo; to ${url}, ${concurrency} at a time`;
}

/**
 * SCIN's rows refer to photos by address, which a gateway accepts only from configured hosts (IMAGE_URL_HOSTS). Where it refuses
 * these, the cases go without them.
 */
async function withAcceptedImages(cases: ReplayCase[], gateway: Gateway): Promise<ReplayCase[]> {
  const example = cases.flatMap(({ anamnesis }) => anamnesis.images ?? [])[0];
  if (example === undefined) return cases;
  const body = { images: [example] };
  const { refusal } = await gateway.ask((api) => api.POST(routes.redFlags, { body }));
  if (!refusal?.errors.some(({ pointer }) => pointer === '/images/0/url')) return cases;
  console.log(
    `The gateway refuses addresses such as ${example.url} (IMAGE_URL_HOSTS): sending cases without \`images\`.`,
  );
  return cases.map(({ anamnesis: { images: _left, ...anamnesis }, ...rest }) => ({ ...rest, anamnesis }));
}

/** Ctrl-C stops early and reports the results so far; a second Ctrl-C ends immediately. */
async function replayAll(
  cases: readonly ReplayCase[],
  gateway: Gateway,
  concurrency: number,
): Promise<CaseOutcome[]> {
  const outcomes: CaseOutcome[] = [];
  const progress = createProgress(cases.length);
  const waiting = cases.values();
  let stopping = false;
  process.once('SIGINT', () => (stopping = true));
  async function work(): Promise<void> {
    for (const one of waiting) {
      if (stopping) return;
      outcomes.push(await replayOne(gateway, one));
      progress.done(outcomes.length);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work));
  progress.end();
  return outcomes;
}

try {
  const given = readArguments(process.argv.slice(2));
  if (given === undefined) console.log(USAGE);
  else process.exitCode = await replay(given);
} catch (error) {
  const isOfTyping = error instanceof UsageError;
  console.error(isOfTyping ? `${error.message}\n${USAGE}` : (error as Error).message);
  process.exitCode = isOfTyping ? 2 : 1;
}
