// npm run vignettes: sends made-up patients through a gateway, by API and by guided intake, and evaluates its replies.
import { createRig } from '../bench/rig.ts';
import { demoPhoto } from '../intake/record-transcripts.ts';
import { type Arguments, readArguments, USAGE, UsageError } from './arguments.ts';
import { resultOf } from './figures.ts';
import { inProcessGateway } from './in-process.ts';
import { report } from './report.ts';
import { runningGateway } from './running-gateway.ts';
import { tryAll } from './try-all.ts';
import type { TriedGateway } from './tried-gateway.ts';
import { readVignettes } from './vignette.ts';

/** @returns the exit status: 1 when a bar is missed. */
async function tryVignettes({ file, ids, concurrency, asJson, ...where }: Arguments): Promise<number> {
  const vignettes = readVignettes(file).filter(({ id }) => ids?.includes(id) ?? true);
  if (vignettes.length === 0) throw new UsageError(`${file} has no vignette ${ids?.join(', ')}.`);
  const photo = await demoPhoto();
  const startedAt = performance.now();
  const trials = await withGateway(where, (gateway) => tryAll(gateway, photo, vignettes, { concurrency }));
  const result = resultOf(trials);
  if (asJson) console.log(JSON.stringify({ file, language: where.language, ...result }, null, 2));
  else {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${vignettes.length} vignettes of ${file} in ${seconds} s\n${report(result)}`);
  }
  return result.bars.every(({ isMet }) => isMet) ? 0 : 1;
}

async function withGateway<Answer>(
  {
    gateway,
    isInProcess,
    email,
    password,
    language,
  }: Pick<Arguments, 'gateway' | 'isInProcess' | 'email' | 'password' | 'language'>,
  use: (gateway: TriedGateway) => Promise<Answer>,
): Promise<Answer> {
  if (isInProcess) return await use(inProcessGateway(language));
  const credentials = { email, password };
  if (gateway !== undefined) return await use(await runningGateway(gateway, credentials, language));
  const rig = createRig();
  process.once('SIGINT', () => void rig.stop().then(() => process.exit(130)));
  try {
    const { url } = await rig.app();
    return await use(await runningGateway(url, credentials, language));
  } finally {
    await rig.stop();
  }
}

try {
  const given = readArguments(process.argv.slice(2));
  if (given === undefined) console.log(USAGE);
  else process.exitCode = await tryVignettes(given);
} catch (error) {
  const isOfTyping = error instanceof UsageError;
  console.error(isOfTyping ? `${error.message}\n${USAGE}` : (error as Error).message);
  process.exitCode = isOfTyping ? 2 : 1;
}
