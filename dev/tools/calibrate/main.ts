// npm run calibrate: refits the conversion of the engine's scores to probabilities, and measures it on unseen rows.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Context } from '../../apps/ai-service/diagnosis/calibration.ts';
import { type Arguments, readArguments, USAGE, UsageError } from './arguments.ts';
import { calibrationFile } from './calibration-file.ts';
import { crossValidate, fitCalibrators, type Tried } from './cross-validate.ts';
import { readLabelledPad, readLabelledScin } from './labelled-rows.ts';
import { contextOfRanking } from './ranking.ts';
import { reliability, report } from './report.ts';

const file = fileURLToPath(new URL('../../apps/ai-service/data/calibration.json', import.meta.url));

/** Cross-validations with different folds; the errors of a single one vary by about a hundredth. */
const DIVISIONS = 4;

type Division = ReturnType<typeof crossValidate>;

const parts: readonly [name: string, part: (division: Division) => Tried[]][] = [
  ['SCIN', ({ scin }) => scin],
  ['PAD-UFES-20', ({ pad }) => pad],
  ['PAD-UFES-20, first prediction benign', (division) => padOf('growth_benign_first', division)],
  ['PAD-UFES-20, first prediction not benign', (division) => padOf('growth_suspicious_first', division)],
];

const padOf = (context: Context, { pad }: Division) =>
  pad.filter(({ ranking }) => contextOfRanking(ranking) === context);

function run({ scin, pad, write }: Arguments): number {
  const rows = { scin: readLabelledScin(scin), pad: readLabelledPad(pad) };
  const divisions = Array.from({ length: DIVISIONS }, (_, index) => crossValidate(rows, `${index}: `));
  for (const [name, ofPart] of parts) {
    const tried = divisions.map(ofPart);
    console.log(report(name, tried));
    console.log(reliability(tried[0] ?? []));
  }

  const fitted = `${JSON.stringify(calibrationFile(rows, fitCalibrators(rows)), undefined, 2)}\n`;
  const isStored = isSame(fitted, readFileSync(file, 'utf8'));
  if (write && !isStored) writeFileSync(file, fitted);
  if (isStored) console.log('\nThe stored parameters match these rows.');
  else if (write)
    console.log(`\nWritten: ${file}. npm run format, and raise the version in model-version.ts.`);
  else console.log(`\nThe stored parameters differ; --write stores these:\n${fitted}`);
  return isStored || write ? 0 : 1;
}

/** Compares without white space, which a formatter may change. */
const isSame = (one: string, other: string) =>
  JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));

try {
  const given = readArguments(process.argv.slice(2), process.env);
  if (given === undefined) console.log(USAGE);
  else process.exitCode = run(given);
} catch (error) {
  const isOfTyping = error instanceof UsageError;
  console.error(isOfTyping ? `${error.message}\n${USAGE}` : (error as Error).message);
  process.exitCode = isOfTyping ? 2 : 1;
}
