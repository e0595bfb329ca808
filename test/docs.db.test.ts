import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../dev/services/support.ts';
import { blocksOf } from './support/documents.ts';
import { compileCache } from './support/compile-cache.ts';
import { tempFolder } from './support/temp-folder.ts';

// The commands of README.md and docs/, pasted into a copy of this checkout, beside a gateway that it starts.

const project = join(import.meta.dirname, '..');
/** What `npm ci` makes; the copy borrows it. */
const installed = ['node_modules', 'dev/packages/client/node_modules', 'dev/apps/portal/node_modules'];
const leftOut = new Set(['node_modules', '.git', '.local', 'dist', 'local.settings.json']);

const copy = tempFolder();
const { PATH, HOME } = process.env;
let gateway: ChildProcess;
let output = '';
let url = '';

beforeAll(async () => {
  cpSync(project, copy, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
  for (const folder of installed.filter((path) => existsSync(join(project, path)))) {
    symlinkSync(join(project, folder), join(copy, folder));
  }
  // `npm run dev`, on a free port.
  gateway = spawn(process.execPath, [join(copy, 'dev', 'run', 'start.ts'), '--watch'], {
    cwd: copy,
    env: { PATH, HOME, ...compileCache(), PORT: '0', BCRYPT_COST: '4' },
  });
  for (const stream of [gateway.stdout, gateway.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  await until(() => output.includes('Try it:') || gateway.exitCode !== null);
  url = /Ready at (\S+)/.exec(output)?.[1] ?? '';
});

afterAll(async () => {
  gateway.kill('SIGTERM');
  await until(() => gateway.exitCode !== null || gateway.signalCode !== null);
});

/** The texts of the blocks of one language in a chapter. */
const commandsOf = (document: string, chapter: string, language = 'sh') =>
  blocksOf(document)
    .filter((block) => block.chapter === chapter && block.language === language)
    .map(({ text }) => text);

/** What the commands print; fails with all of it when one of them fails. */
async function paste(commands: string): Promise<string> {
  const script = `exec 2>&1; ${commands.replaceAll('http://127.0.0.1:7071', url)}`;
  const options = { cwd: copy, env: { PATH, HOME, ...compileCache(), NO_COLOR: '1' } };
  return await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], options).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => Promise.reject(new Error(`${commands}\n${error.stdout}`)),
  );
}

const answers = (printed: string) =>
  printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

test('"Try it" gives an account, two diagnoses, and the place of a mistake', async () => {
  const commands = commandsOf('README.md', 'Try it');
  expect(commands.length).toBeGreaterThanOrEqual(4);
  const [health, account, me, diagnosis, spanish, refusal] = answers(await paste(commands.join('\n')));
  expect(health).toEqual({ status: 'healthy', database: 'connected' });
  expect(account).toMatchObject({ token_type: 'bearer' });
  expect(me).toMatchObject({ user: { email: 'me@example.org', role: 'patient' } });
  expect(diagnosis).toMatchObject({ red_flags: { hasRedFlags: false }, image_validity: { isValid: true } });
  expect(spanish).toMatchObject({
    red_flags: {
      flags: ['suspicious_pigmented_lesion'],
      flagDetails: [{ text: expect.stringMatching(/lunar/) }],
    },
  });
  expect(refusal).toMatchObject({
    code: 'anamnesis_invalid',
    errors: [expect.objectContaining({ pointer: '/lesion/colors/0' })],
  });
});

describe('docs/api.md', () => {
  const chapters = new Map<string, string>();
  const lastOf = (chapter: string) =>
    JSON.parse(chapters.get(chapter)?.trim().split('\n').at(-1) ?? '') as unknown;

  beforeAll(async () => {
    const blocks = blocksOf('docs/api.md').filter(({ language }) => language === 'sh');
    const printed = await paste(
      blocks.map(({ chapter, text }) => `echo '## ${chapter}'\n${text}`).join('\n'),
    );
    for (const part of printed.split(/^## /m)) {
      const [chapter = '', ...lines] = part.split('\n');
      chapters.set(chapter, `${chapters.get(chapter) ?? ''}${lines.join('\n')}`);
    }
  }, 120_000);

  test('"Sign in" returns an account', () => {
    expect(lastOf('Sign in')).toMatchObject({ user: { email: 'patient@dermagate.example' } });
  });

  test('"Run the questionnaire" asks until the end, photo included, and gets a triage; its loop is 20 lines', () => {
    const printed = chapters.get('Run the questionnaire') ?? '';
    expect(printed.match(/\?\n/g)?.length).toBeGreaterThan(10);
    expect(printed).toMatch(/close-up photo/);
    expect(printed.trim().split('\n').at(-1)).toMatch(/^(routine|soon|urgent|emergency)\w* \w+$/);
    const [loop = ''] = commandsOf('docs/api.md', 'Run the questionnaire');
    const [, steps = ''] = /^(function answerTo.*?)^TS$/ms.exec(loop) ?? [];
    expect(steps.split('\n').length).toBeGreaterThan(10);
    expect(steps.trim().split('\n').length).toBeLessThanOrEqual(20);
  });

  test('"Store a photo" ends in a verdict on the stored photo, and in a diagnosis whose anamnesis names it', () => {
    const lines = (chapters.get('Store a photo, and name it in the anamnesis') ?? '').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { isValid: true },
      { predictions: expect.any(Array), red_flags: { hasRedFlags: false } },
    ]);
    expect(readFileSync(join(copy, '.local/thumbnail.jpg')).subarray(0, 2).toString('hex')).toBe('ffd8');
    expect(readFileSync(join(copy, '.local/with-photo.json'), 'utf8')).toContain('/api/common/images/');
  });

  test('"Follow a case" submits a case with a photo, and reads it', () => {
    const [submitted, read] = answers(chapters.get('Follow a case') ?? '');
    expect(submitted).toMatchObject({ patient_status: 'waiting', advice: null });
    expect(read).toMatchObject({ patient_status: 'waiting', images: [{ widthPx: 1024 }] });
    const { items } = JSON.parse(readFileSync(join(copy, '.local/cases.json'), 'utf8')) as {
      items: object[];
    };
    expect(items).toHaveLength(1);
  });

  test('"Answer a case" takes a case, drafts, signs once of two times, and takes it back', () => {
    const lines = (chapters.get('Answer a case') ?? '').trim().split('\n');
    expect(lines).toEqual([
      'draft 1',
      'final',
      expect.stringMatching(/^(?:version_conflict|case_state_conflict)$/),
      expect.stringMatching(/^in_review .*\bsign\b/),
    ]);
    expect(readFileSync(join(copy, '.local/review.jpg')).subarray(0, 2).toString('hex')).toBe('ffd8');
  });

  test('"Messages" reads the channels of an account, and chooses among them', () => {
    const [before, after] = answers(chapters.get('Messages') ?? '');
    expect(before).toEqual({ channels: ['mail', 'push'], available: ['mail'] });
    expect(after).toEqual({ channels: ['mail'], available: ['mail'] });
  });

  test('"Your own front end": a loopback origin is let in, another one is named in the log', () => {
    expect(chapters.get('Your own front end')).toContain(
      'access-control-allow-origin: http://localhost:3000',
    );
    expect(output).toMatch(/"event":"origin_refused".*"origin":"https:\/\/app\.example\.org"/);
  });

  test('"Generate a client" packs the typed client and fetches the document', () => {
    expect(chapters.get('Generate a client')).toMatch(/dermagate-client-\d+\.\d+\.\d+\.tgz/);
    expect(existsSync(/^\S+\.tgz$/m.exec(chapters.get('Generate a client') ?? '')?.[0] ?? '')).toBe(true);
    expect(JSON.parse(readFileSync(join(copy, '.local/openapi.json'), 'utf8'))).toHaveProperty(
      'openapi',
      '3.1.0',
    );
  });

  test('"Language", "Versions", "Limits" and "Problems" show what they say', () => {
    expect(lastOf('Language')).toMatchObject({
      questionText: expect.stringMatching(/^¿/),
      machineDrafted: true,
    });
    const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(chapters.get('Versions')?.trim()).toBe(version);
    expect(chapters.get('Limits')).toMatch(
      /^ratelimit: "questions-minute";r=\d+[^]*^ratelimit-policy: "questions-minute";q=60;w=60/im,
    );
    expect(lastOf('Problems')).toMatchObject({
      code: 'anamnesis_invalid',
      errors: [{ pointer: '/lesion/colors/0' }],
    });
  });
});

test('TypeScript in the documents fits the client', async () => {
  const blocks = ['README.md', 'docs/api.md'].flatMap((document) => blocksOf(document));
  const examples = blocks.flatMap(({ language, text }) => {
    if (language === 'ts') return [text];
    return [...text.matchAll(/^cat > \.local\/\S+\.ts <<'TS'\n(.*?)^TS$/gms)].map(
      ([, source = '']) => source,
    );
  });
  expect(examples.length).toBeGreaterThanOrEqual(2);
  const folder = join(copy, 'dev', 'apps', 'example');
  mkdirSync(folder);
  for (const [index, example] of examples.entries()) {
    expect(example).toContain('dermagate-client');
    writeFileSync(join(folder, `example-${index}.ts`), example);
  }
  const config = {
    extends: '../portal/tsconfig.json',
    compilerOptions: { types: ['node'] },
    include: ['*.ts'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await paste('node dev/run/run.mjs tsc --noEmit -p dev/apps/example');
  rmSync(folder, { recursive: true });
});

describe('"Add an endpoint"', { timeout: 300_000 }, () => {
  const steps = commandsOf('docs/development.md', 'Add an endpoint');
  const [start = '', useCase = '', endpoint = '', scenario = '', generate = '', call = '', plans = ''] =
    steps;

  const written = [
    'src/domain/media/images/image.queries.ts',
    'src/domain/media/images/list-own-images.ts',
    'src/functions/common/list-images.ts',
    'test/endpoints/common/list-images.scenario.ts',
  ];

  test('begins with a gateway that watches its sources', () => {
    expect(start).toContain('npm run dev');
  });

  test('costs three files by hand, and a statement; everything else is generated, and fresh', async () => {
    const before = sourcesOf(copy);
    for (const step of [useCase, endpoint, scenario]) await paste(step);
    const byHand = changedSince(before, sourcesOf(copy));
    expect(byHand).toEqual(written);
    // What to do about examples that were never recorded.
    const [record = ''] = /npm run generate -- --record .*/.exec(generate) ?? [];
    await expect(paste('npm run generate')).rejects.toThrow(`Record them: ${record}`);
    await paste(generate);
    const after = sourcesOf(copy);
    const untracked = ['dev/packages/client/src/operations.ts', 'dev/packages/client/src/schema.ts'];
    const generated = ['docs/api.md', 'docs/development.md', 'docs/openapi.json', 'src/endpoints.ts'];
    const all = changedSince(before, after).filter((file) => !byHand.includes(file));
    expect(all).toEqual(
      expect.arrayContaining([...untracked, 'docs/api.md', 'docs/openapi.json', 'src/endpoints.ts']),
    );
    expect(all.filter((file) => ![...untracked, ...generated].includes(file))).toEqual([]);
    const linesOf = (sources: ReadonlyMap<string, string>) =>
      generated.reduce((sum, file) => sum + (sources.get(file) ?? '').split('\n').length, 0);
    expect(linesOf(after) - linesOf(before)).toBeLessThanOrEqual(500);
    expect(await paste('node dev/tools/generate/main.ts --check')).toContain(
      'Everything generated is up to date.',
    );
  });

  test('makes the running gateway answer', async () => {
    await until(() => /endpoints\.ts changed: (restarted|and)/.test(output) || gateway.exitCode !== null);
    const [stored, listed, refused] = answers(await paste(call));
    const [image] = (stored as { images: { uuid: string; url: string }[] }).images;
    // Beside the photos of the demo cases.
    const { images } = listed as { images: unknown[] };
    expect(images).toContainEqual({ uuid: image?.uuid, url: image?.url, created_at: expect.any(String) });
    expect(refused).toMatchObject({ code: 'validation_error', errors: [{ pointer: '/limit' }] });
  });

  describe('has its query planned', () => {
    let planned = '';
    beforeAll(async () => void (planned = await paste(plans)), 300_000);

    test('without a fault', () => {
      expect(planned).toMatch(/^listImages\n {2}\S/m);
      expect(planned).not.toContain('FAULT');
    });

    test('like those of every function of the app: none scans a large table sequentially', () => {
      expect(planned.match(/FAULT: .*/g) ?? []).toEqual([]);
      expect(planned).toMatch(/^100 tenants, 10000 users, 100000 refresh tokens:/m);
      // What it shows are the queries that ran, down to those inside functions of the database and to foreign keys.
      // (a query of the app's background work may run at the same time and stand before it.)
      expect(planned).toMatch(
        /^getMe\n(?: {2}.*\n)*? {2}SELECT asked\.place.*\n {4}cost [\d.]+: Index Scan sessions_pkey \(1\)/m,
      );
      expect(planned).toMatch(/FOR KEY SHARE/);
      for (const name of ['refreshSession', 'createDiagnosis', 'storeImages', 'cleanUp', 'reconcileImages']) {
        expect(planned).toMatch(new RegExp(`^${name}\\n {2}\\S`, 'm'));
      }
    });
  });

  test('passes the checks', async () => {
    expect(steps.at(-1)?.trim()).toBe('npm run verify');
    // What of it a new endpoint can offend; the rest is the same as without. Each `npm run` would cost half a second.
    const run = 'node dev/run/run.mjs';
    const changed = [...written, 'src/endpoints.ts', 'dev/packages/client/src'].join(' ');
    // `--type-check` reports the type errors of these files: the whole project's would take six times as long.
    await paste(`${run} oxlint --type-aware --type-check ${changed}; ${run} oxfmt --check ${changed}`);
    const unit = 'vitest run --config test/vitest.config.ts --project unit --maxWorkers=1';
    await paste(`${run} ${unit} test/architecture test/contract dev/tools/openapi`);
  });
});

/** Every file of a checkout with its text, but for what is installed and what a start makes. */
function sourcesOf(folder: string): Map<string, string> {
  const files = globSync('{src,test,dev,docs,migrations,infra}/**/*.{ts,tsx,json,md,sql,svg}', {
    cwd: folder,
    exclude: (name) => name.includes('node_modules'),
  });
  const others = ['README.md', 'package.json', 'package-lock.json', 'tsconfig.json'];
  return new Map([...files, ...others].map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

function changedSince(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after]
    .filter(([file, text]) => before.get(file) !== text)
    .map(([file]) => file)
    .toSorted();
}
