// npm run bench [-- --only healthy,me]: measures speed as ratios, because seconds depend on the machine.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { run } from '../../services/lifecycle.ts';
import { seconds } from '../../services/start-services.ts';
import type { Benchmark } from './benchmark.ts';
import { type Goal, goalTable } from './goals.ts';
import * as ai from './ai.ts';
import * as auth from './auth.ts';
import * as bigBodies from './big-bodies.ts';
import * as cases from './cases.ts';
import * as coldStart from './cold-start.ts';
import * as decoder from './decoder.ts';
import * as diagnosis from './diagnosis.ts';
import * as healthy from './healthy.ts';
import * as images from './images.ts';
import * as me from './me.ts';
import { createRig, type Rig } from './rig.ts';
import * as start from './start.ts';
import * as templates from './templates.ts';

/** To add a benchmark, export one from a new file and list it here. */
const benchmarks: readonly Benchmark[] = [
  healthy,
  me,
  auth,
  diagnosis,
  ai,
  cases,
  images,
  decoder,
  bigBodies,
  templates,
  start,
  coldStart,
];

const names = benchmarks.map(({ name }) => name).join(', ');
const USAGE = `usage: npm run bench [-- --only NAME,NAME]     (${names})`;

function selected(): readonly Benchmark[] {
  try {
    const { values } = parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } });
    if (values.help === true) {
      console.log(USAGE);
      process.exit(0);
    }
    const wanted = values.only?.split(',').map((name) => name.trim()) ?? benchmarks.map(({ name }) => name);
    const unknown = wanted.filter((name) => benchmarks.every((benchmark) => benchmark.name !== name));
    if (unknown.length > 0) throw new Error(`Unknown benchmark: ${unknown.join(', ')}.`);
    return benchmarks.filter(({ name }) => wanted.includes(name));
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    return process.exit(2);
  }
}

async function runAll(chosen: readonly Benchmark[], rig: Rig, isInterrupted: () => boolean) {
  const done: string[] = [];
  const goals: Goal[] = [];
  const failed: string[] = [];
  for (const benchmark of chosen) {
    try {
      await rig.settle();
      const result = await benchmark.run(rig);
      if (typeof result !== 'string') goals.push(...result.goals);
      done.push(typeof result === 'string' ? result : result.summary);
    } catch (error) {
      // It fails because its services are being stopped.
      if (isInterrupted()) break;
      failed.push(benchmark.name);
      const lines = rig.output.map((line) => `    ${line}`).join('\n');
      console.error(`\n${benchmark.name} failed: ${(error as Error).message}`);
      if (lines !== '') console.error(`  The app's last lines:\n${lines}`);
    }
  }
  return { done, goals, failed };
}

const chosen = selected();
const startedAt = performance.now();
const [cpu] = cpus();
console.log(`${cpus().length} × ${cpu?.model.trim() ?? 'unknown processor'}, Node ${process.version}.`);
console.log('Load, hosts, apps, database and AI service share this machine: compare ratios, not figures.');
const rig = createRig();
await run(async (life) => {
  let stopping = false;
  life.undo(() => {
    stopping = true;
    return rig.stop();
  });
  void rig.death.then((reason) => (stopping ? undefined : life.fail(reason)));
  const { done, goals, failed } = await runAll(chosen, rig, () => stopping);
  // Interrupted: the signal handler ends the process.
  if (stopping) return;
  stopping = true;
  await rig.stop();
  if (goals.length > 0) console.log(`\nGoals\n${goalTable(goals)}`);
  console.log(`\n${[...done, ...failed.map((name) => `${name} FAILED`)].join(' · ')}`);
  console.log(
    `${done.length} of ${chosen.length} benchmarks in ${seconds(startedAt)}; × is ours / yardstick, per second.`,
  );
  process.exit(failed.length === 0 ? 0 : 1);
});
