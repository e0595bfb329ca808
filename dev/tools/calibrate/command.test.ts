// The command itself, on invented rows.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compileCache } from '../../../test/support/compile-cache.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { diceFrom } from '../intake/random-patient.ts';
import { plainGrowth, writePad, writeScin } from '../replay/data-sets.ts';

const main = join(import.meta.dirname, 'main.ts');

function calibrate(args: readonly string[], environment: Record<string, string> = {}) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const options = { env: { ...compileCache(), NO_COLOR: '1', ...environment } };
    execFile(process.execPath, [main, ...args], options, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    );
  });
}

/** Hives itch, zoster hurts, and a tenth of the labels is wrong; basal cell carcinomas bleed, naevi do not. */
function writeRows(count: number): { scin: string; pad: string } {
  const dice = diceFrom(7);
  const [scin, pad] = [tempFolder(), tempFolder()];
  const cases = Array.from({ length: count }, (_, index) => ({
    index,
    itches: dice(2) === 0,
    isWrong: dice(10) === 0,
  }));
  writeScin(
    scin,
    cases.map(({ index, itches }) => ({
      case_id: `case-${index}`,
      related_category: 'RASH',
      [itches ? 'condition_symptoms_itching' : 'condition_symptoms_pain']: 'YES',
    })),
    cases.map(({ index, itches, isWrong }) => ({
      case_id: `case-${index}`,
      weighted_skin_condition_label: itches === isWrong ? `{'Herpes Zoster': 1.0}` : `{'Urticaria': 1.0}`,
    })),
  );
  writePad(
    pad,
    Array.from({ length: count }, (_, index) => {
      const bleeds = dice(2) === 0;
      return {
        ...plainGrowth,
        patient_id: `PAT_${Math.floor(index / 2)}`,
        img_id: `PAT_${index}.png`,
        age: bleeds ? '75' : '25',
        bleed: bleeds ? 'True' : 'False',
        diagnostic: (dice(5) === 0) === bleeds ? 'NEV' : 'BCC',
      };
    }),
  );
  return { scin, pad };
}

test(
  'prints today’s figures beside the calibrated ones, and writes nothing that was not asked for',
  { timeout: 60_000 },
  async () => {
    const { scin, pad } = writeRows(300);
    const { code, out, err } = await calibrate(['--scin', scin, '--pad', pad]);
    expect(err).toBe('');
    expect(out).toMatch(/SCIN: 300 labelled rows\n +top 1 +top 3 +top 5 +ECE 1 /);
    expect(out).toMatch(/PAD-UFES-20: 300 labelled rows\n/);
    const errors = [
      ...out.matchAll(/^ +(uncalibrated|isotonic \(shipped\)) +[\d.]+ % .*? % +(0\.\d{4})/gm),
    ].map(([, way, error]) => [way, Number(error)] as const);
    const [[, before] = ['', 0], [, after] = ['', 1]] = errors;
    expect(errors.map(([way]) => way).slice(0, 2)).toEqual(['uncalibrated', 'isotonic (shipped)']);
    expect(after).toBeLessThan(before);
    // Invented rows do not reproduce the stored parameters.
    expect(out).toMatch(/The stored parameters differ; --write stores these:/);
    expect(out).not.toMatch(/case-\d|PAT_\d/);
    expect(code).toBe(1);
  },
);

test('takes the folders from the environment; a folder that is not there is named', async () => {
  const folder = join(tempFolder(), 'nowhere');
  const { code, err } = await calibrate([], { SCIN_DIR: folder, PAD_DIR: folder });
  expect(err).toMatch(/nowhere.*scin_labels\.csv cannot be read/);
  expect(code).toBe(1);
});

test.each([
  ['no folder', [], 'Give both data sets'],
  ['one folder only', ['--scin', '.'], 'Give both data sets'],
  ['an option that does not exist', ['--folds', '3'], '--folds'],
])('%s is a mistake of typing and gets the usage', async (_, args, message) => {
  const { code, err } = await calibrate(args);
  expect(err).toContain(message);
  expect(err).toContain('usage: npm run calibrate');
  expect(code).toBe(2);
});
