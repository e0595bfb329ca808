import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startHost } from '../dev/packages/functions-host/host.ts';
import { readAppFiles } from '../dev/packages/functions-host/settings.ts';
import { Environment } from '../src/lib/configuration/environment.ts';
import { compileCache } from './support/compile-cache.ts';

// The whole app with a wrong configuration does not start; the rules themselves are in test/lib/configuration/config.test.ts.

const root = join(import.meta.dirname, '..');

test('local.settings.example.json has exactly the keys of the schema, and what the host itself reads', () => {
  const { Values } = JSON.parse(readFileSync(join(root, 'local.settings.example.json'), 'utf8')) as {
    Values: Record<string, string>;
  };
  const ours = Object.keys(Environment.shape);
  expect(new Set(Object.keys(Values))).toEqual(
    new Set([...ours, 'FUNCTIONS_WORKER_RUNTIME', 'AzureWebJobsStorage']),
  );
});

test('local.settings.example.json has no secret and its values are acceptable', () => {
  const { Values } = JSON.parse(readFileSync(join(root, 'local.settings.example.json'), 'utf8')) as {
    Values: Record<string, string>;
  };
  for (const [key, schema] of Object.entries(Environment.shape)) {
    const value = Values[key] ?? '';
    if (/KEY|PEPPER|CONNECTION|DATABASE|MAIL_URL/.test(key)) expect([key, value]).toEqual([key, '']);
    if (value !== '') expect([key, schema.safeParse(value).success]).toEqual([key, true]);
  }
});

describe('with a wrong configuration', () => {
  /** Nothing of a developer's own local.settings.json: an empty value is no value. */
  const blank = Object.fromEntries(Object.keys(readAppFiles(root).values).map((key) => [key, '']));
  const wrong = {
    ...blank,
    DATABASE_URL: 'mysql://user:marker-password@localhost/db',
    SECRET_KEY: 'marker-short',
    AI_TIMEOUT_MS: 'marker-soon',
    CORS_ORIGINS: '*',
  };
  const expectedKeys = [
    'DATABASE_URL',
    'AI_SERVICE_URL',
    'SECRET_KEY',
    'PASSWORD_PEPPER',
    'CORS_ORIGINS',
    'AI_TIMEOUT_MS',
    'STORAGE_CONNECTION_STRING',
  ];

  test('the app does not load: every wrong key is named at once, and no value', async () => {
    const lines: string[] = [];
    const start = startHost({
      app: root,
      main: 'src/main.ts',
      env: { ...compileCache(), ...wrong },
      inheritEnv: false,
      port: 0,
      output: (line) => void lines.push(line),
    });
    const error = await start.then(
      async (host) => {
        await host.stop();
        throw new Error('it started');
      },
      (reason: Error) => reason,
    );
    for (const key of expectedKeys) expect(error.message).toContain(key);
    expect([error.message, ...lines].filter((text) => text.includes('marker-'))).toEqual([]);
  });

  test('a host that stays up, as Azure’s does, serves nothing, and one line of its log names every wrong key', async () => {
    const lines: string[] = [];
    const host = await startHost({
      app: root,
      main: 'src/main.ts',
      env: { ...compileCache(), ...wrong },
      inheritEnv: false,
      port: 0,
      strict: false,
      output: (line) => void lines.push(line),
    });
    try {
      for (const path of ['/healthy', '/health', '/api/auth/me']) {
        expect((await fetch(new URL(path, host.url))).status).toBe(404);
      }
    } finally {
      await host.stop();
    }
    const logged = lines.filter((line) => /^\{.*"event":"configuration_unusable"/.test(line));
    expect(logged).toHaveLength(1);
    for (const key of expectedKeys) expect(logged[0]).toContain(key);
    expect(lines.join('\n')).not.toContain('marker-');
  });

  test('the command ends with a status that is not 0', async () => {
    const { PATH = '' } = process.env;
    const child = spawn(
      process.execPath,
      [
        join(root, 'dev/packages/functions-host/cli.ts'),
        '--app',
        root,
        '--main',
        'src/main.ts',
        '--port',
        '0',
      ],
      { env: { PATH, ...compileCache(), ...wrong }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const [status] = (await once(child, 'close')) as [number];
    expect(status).toBe(1);
    // The others may stand in a local.settings.json: an empty variable does not hide them from the command.
    for (const key of ['DATABASE_URL', 'SECRET_KEY', 'CORS_ORIGINS', 'AI_TIMEOUT_MS']) {
      expect(output).toContain(key);
    }
    expect(output).not.toContain('marker-');
  });
});
