// The known vignettes over HTTP, through the whole gateway with the reference AI service behind it.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demoPhoto } from '../intake/record-transcripts.ts';
import { inProcessGateway } from './in-process.ts';
import { runningGateway } from './running-gateway.ts';
import { tryAll } from './try-all.ts';
import type { TriedGateway } from './tried-gateway.ts';
import type { Trial } from './try-vignette.ts';
import { readVignettes } from './vignette.ts';
import { register } from '../../../test/support/accounts.ts';
import { testApp } from '../../../test/support/app.ts';
import { compileCache } from '../../../test/support/compile-cache.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';

const app = await testApp({ ai: 'real' });
const root = join(import.meta.dirname, '..', '..', '..');
const vignettes = readVignettes(join(root, 'test', 'vignettes', 'known.jsonl'));

/** What a patient sees of it: the level, the flags and the questions. */
const seen = ({ vignette, channel, refusal, redFlags, triage, intake }: Trial) => ({
  id: vignette.id,
  channel,
  refusal,
  flags: redFlags?.flagDetails?.map(({ code, urgency, certainty }) => [code, urgency, certainty]),
  level: triage?.priority,
  reasons: triage?.reasons.map(({ code }) => code),
  intake,
});

/** All of them by API; by intake the emergencies, which end soon, and a few of the others, for an intake takes seconds. */
const byIntake = vignettes.filter(({ must }, index) => must.minTriage === 'emergency' || index % 10 === 9);

test('the gateway answers as its domain does, by API and question by question', async () => {
  const { email, password } = await register(app);
  const overHttp = await runningGateway(app.url, { email, password }, 'en');
  const photo = await demoPhoto();
  const tryWith = async (gateway: TriedGateway): Promise<Trial[]> => [
    ...(await tryAll(gateway, photo, vignettes, { channels: ['api'], withRemovals: false, concurrency: 4 })),
    ...(await tryAll(gateway, photo, byIntake, { channels: ['willing', 'skipping'], concurrency: 4 })),
  ];
  const answered = await tryWith(overHttp);
  expect(answered.filter(({ refusal }) => refusal !== undefined).map(seen)).toEqual([]);
  expect(answered.map(seen)).toEqual((await tryWith(inProcessGateway('en'))).map(seen));
}, 240_000);

describe('the command', { timeout: 120_000 }, () => {
  const run = (...args: string[]): Promise<{ code: number; out: string; err: string }> =>
    new Promise((resolve) => {
      const command = [join(root, 'dev', 'tools', 'vignettes', 'main.ts'), ...args];
      execFile(process.execPath, command, { env: { ...compileCache(), NO_COLOR: '1' } }, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
      );
    });
  const fileOf = (...lines: object[]): string => {
    const file = join(tempFolder(), 'own.jsonl');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  };
  const choking = {
    id: 'x001',
    title: 'Cannot breathe',
    anamnesis: { symptoms: { emergency: ['difficulty_breathing'] } },
    must: { minTriage: 'emergency', maxTriage: 'emergency', mayDependOn: ['symptoms.emergency'] },
  };

  test('runs a file of its own through a gateway that it is given, with the level and the question', async () => {
    const { email, password } = await register(app);
    const login = ['--gateway', app.url, '--email', email, '--password', password];
    const met = await run(fileOf(choking), ...login, '--json');
    expect(met.err).toBe('');
    expect(JSON.parse(met.out)).toMatchObject({
      faults: [],
      figures: [{ channel: 'api' }, { channel: 'willing', emergencyAt: { median: 1 } }, {}],
    });
    expect(met.code).toBe(0);

    const denied = { ...choking, must: { minTriage: 'routine', maxTriage: 'routine' } };
    const missed = await run(fileOf(denied), ...login);
    expect(missed.out).toMatch(/x001 +api +emergency, airway_or_breathing.*at most routine +Cannot breathe/);
    expect(missed.out).toMatch(/missed +api: over-triaged: 1, limit 0/);
    expect(missed.code).toBe(1);
  });

  test('in process, in another language', async () => {
    const { code, out } = await run(fileOf(choking), '--in-process', '--language', 'he');
    expect(out).toMatch(/all \d+ met/);
    expect(code).toBe(0);
  });

  test('a file that is not as expected ends it, naming the line', async () => {
    expect(await run(fileOf(choking, { id: 'x002' }), '--in-process')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/own\.jsonl:2 is not a vignette/),
    });
  });
});
