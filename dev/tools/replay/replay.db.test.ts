// The command itself against the whole gateway with the reference AI service behind it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { register } from '../../../test/support/accounts.ts';
import { testApp } from '../../../test/support/app.ts';
import { compileCache } from '../../../test/support/compile-cache.ts';
import { skinPhoto } from '../../../test/support/images.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { plainGrowth, writePad, writeScin } from './data-sets.ts';

const app = await testApp({ ai: 'real' });
const main = join(import.meta.dirname, 'main.ts');

function replay(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const command = [main, ...args];
    execFile(process.execPath, command, { env: { ...compileCache(), NO_COLOR: '1' } }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
    );
  });
}

async function loginArguments(): Promise<string[]> {
  const { email, password } = await register(app);
  return ['--url', app.url, '--email', email, '--password', password];
}

test('growths with and without a photo: all answered, labels, verdicts and latencies counted', async () => {
  const folder = tempFolder();
  writePad(folder, [
    { ...plainGrowth, img_id: 'PAT_1_1_1.png', itch: 'UNK', bleed: 'UNK' },
    {
      ...plainGrowth,
      img_id: 'PAT_2_1_1.png',
      diagnostic: 'MEL',
      grew: 'True',
      changed: 'True',
      bleed: 'True',
      diameter_1: '14.0',
      diameter_2: '9.0',
    },
    { ...plainGrowth, img_id: 'PAT_3_1_1.png' },
  ]);
  writeFileSync(join(folder, 'PAT_1_1_1.png'), await skinPhoto());
  const { code, out, err } = await replay('--pad', folder, ...(await loginArguments()));
  expect(err).toMatch(/3 of 3/);
  expect(out).toMatch(/3 cases, 3 with a label of the catalogue, 1 with a photo/);
  expect(out).toMatch(/POST \/api\/diagnosis +1 +1 +0 +[\d.]+ +[\d.]+ +[\d.]+/);
  expect(out).toMatch(/POST \/api\/ai\/predict_diagnosis +2 +2 +0 /);
  expect(out).toMatch(/POST \/api\/ai\/red_flags +2 +2 +0 /);
  expect(out).toMatch(/POST \/api\/ai\/triage +3 +3 +0 /);
  expect(out).toMatch(/Refused and failed\n +none/);
  expect(out).toMatch(/labelled +3 +[\d.]+ % +[\d.]+ % +[\d.]+ %/);
  expect(out).toMatch(/suspicious_pigmented_lesion +1 +melanoma 1/);
  expect(out).toMatch(/1 judged, 1 valid/);
  expect(code).toBe(0);
});

test('cases of SCIN whose photo addresses the gateway does not take go without them', async () => {
  const folder = tempFolder();
  const cases = ['1', '2', '3'].map((case_id) => ({
    case_id,
    related_category: 'RASH',
    condition_symptoms_itching: 'YES',
    image_1_path: `dataset/images/${case_id}.png`,
    image_1_shot_type: 'CLOSE_UP',
  }));
  writeScin(folder, cases, [
    { case_id: '1', weighted_skin_condition_label: `{'Eczema': 1.0}` },
    { case_id: '2', weighted_skin_condition_label: `{"Grover's disease": 1.0}` },
  ]);
  const { code, out } = await replay('--scin', folder, '--limit', '2', ...(await loginArguments()));
  expect(out).toMatch(/refuses addresses such as https:\/\/storage\.googleapis\.com/);
  expect(out).toMatch(/2 cases, 1 with a label of the catalogue, 0 with a photo/);
  expect(out).toMatch(/POST \/api\/ai\/predict_diagnosis +2 +2 +0 /);
  expect(out).toMatch(/atopic_dermatitis +1\b/);
  expect(out).toMatch(/\(no label in the catalogue\) +1\b/);
  expect(code).toBe(0);
});

test('a refusal is counted under its pointer and fails the command', async () => {
  const folder = tempFolder();
  // 150 years is a number, so the mapping passes it on; the gateway does not take it.
  writePad(folder, [plainGrowth, { ...plainGrowth, img_id: 'PAT_9_9_9.png', age: '150' }]);
  const { code, out } = await replay('--pad', folder, ...(await loginArguments()));
  expect(out).toMatch(/422 anamnesis_invalid, POST \/api\/ai\/red_flags: too_big \/patient\/ageYears +1/);
  expect(out).toMatch(/POST \/api\/ai\/red_flags +2 +1 +1 /);
  expect(code).toBe(1);
});

test('invalid arguments are reported before anything is posted', async () => {
  const folder = tempFolder();
  expect(await replay()).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--scin or --pad[\s\S]*usage:/),
  });
  expect(await replay('--pad', folder, '--concurrency', '0')).toMatchObject({
    code: 2,
    err: expect.stringMatching(/--concurrency 0 is not a positive/),
  });
  expect(await replay('--pad', folder, '--speed', '9')).toMatchObject({ code: 2 });
  expect(await replay('--pad', folder)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/metadata\.csv cannot be read/),
  });
  expect(await replay('--help')).toMatchObject({ code: 0, out: expect.stringMatching(/usage:/) });
});
