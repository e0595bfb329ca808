import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHost } from '../dev/packages/functions-host/host.ts';
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

test('with a wrong configuration the app does not load: one line of its log names every wrong key, and no value', async () => {
  const lines: string[] = [];
  const start = startHost({
    app: root,
    main: 'src/main.ts',
    env: {
      ...compileCache(),
      DATABASE_URL: 'mysql://user:marker-password@localhost/db',
      SECRET_KEY: 'marker-short',
      AI_TIMEOUT_MS: 'marker-soon',
      CORS_ORIGINS: '*',
    },
    output: (line) => void lines.push(line),
  });
  const error = await start.then(
    async (host) => {
      await host.stop();
      throw new Error('it started');
    },
    (reason: Error) => reason,
  );
  const logged = lines.filter((line) => /^\{.*"event":"configuration_unusable"/.test(line));
  expect(logged).toHaveLength(1);
  for (const key of [
    'DATABASE_URL',
    'AI_SERVICE_URL',
    'SECRET_KEY',
    'PASSWORD_PEPPER',
    'CORS_ORIGINS',
    'AI_TIMEOUT_MS',
    'STORAGE_CONNECTION_STRING',
  ]) {
    expect(error.message).toContain(key);
    expect(logged[0]).toContain(key);
  }
  expect([error.message, ...lines].filter((text) => text.includes('marker-'))).toEqual([]);
});

test('with a timer in TIMERS_OFF that does not exist the app does not load: the one that is meant would run', async () => {
  const lines: string[] = [];
  const start = startHost({
    app: root,
    main: 'src/main.ts',
    env: {
      ...compileCache(),
      AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
      DATABASE_URL: 'postgresql://user@127.0.0.1:1/db',
      AI_SERVICE_URL: 'http://127.0.0.1:1',
      STORAGE_CONNECTION_STRING: 'UseDevelopmentStorage=true',
      SECRET_KEY: 'k'.repeat(32),
      PASSWORD_PEPPER: 'p'.repeat(32),
      FIELD_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      TIMERS_OFF: 'reconcileImages,openLane',
    },
    output: (line) => void lines.push(line),
  });
  const message = 'TIMERS_OFF must name timers (npm run timer -- --list), not openLane';
  await expect(start).rejects.toThrow(message);
  expect(lines.filter((line) => line.includes('"event":"configuration_unusable"'))).toEqual([
    expect.stringContaining(message),
  ]);
});
