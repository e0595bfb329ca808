import { expect, test } from 'vitest';
import { readArguments, UsageError } from './arguments.ts';

test('without arguments the known vignettes go through a gateway of its own, as the demo patient', () => {
  expect(readArguments([])).toMatchObject({
    file: expect.stringMatching(/test.vignettes.known\.jsonl$/),
    gateway: undefined,
    isInProcess: false,
    language: 'en',
    asJson: false,
    ids: undefined,
    email: expect.stringContaining('@'),
  });
});

test('a file, some vignettes, a language and a gateway can be given', () => {
  const given = [
    'own.jsonl',
    '--id',
    'v1,v2',
    '--language',
    'he',
    '--gateway',
    'https://g.example',
    '--json',
  ];
  expect(readArguments(given)).toMatchObject({
    file: 'own.jsonl',
    ids: ['v1', 'v2'],
    language: 'he',
    gateway: 'https://g.example',
    asJson: true,
  });
  expect(readArguments(['--help'])).toBeUndefined();
});

test.each([
  ['two files', ['a.jsonl', 'b.jsonl']],
  ['a gateway and none', ['--gateway', 'http://localhost:7071', '--in-process']],
  ['a gateway without an address', ['--gateway', 'nowhere']],
  ['a language that is not ours', ['--language', 'xx']],
  ['a concurrency of nothing', ['--concurrency', '0']],
  ['an option that is not there', ['--fast']],
])('%s is refused', (_, given) => {
  expect(() => readArguments(given)).toThrow(UsageError);
});
