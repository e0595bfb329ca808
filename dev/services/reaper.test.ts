import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { until } from './support.ts';

test('a folder that a dying process makes once more, after its removal, goes as well', async () => {
  const [folder, other] = [join(tempFolder(), 'cache'), join(tempFolder(), 'cache')];
  for (const path of [folder, other]) mkdirSync(path);
  const reaper = spawn(process.execPath, [join(import.meta.dirname, 'reaper.ts')], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const ended = once(reaper, 'exit');
  reaper.stdin.end(
    [{ remove: folder }, { remove: other }, { forget: other }]
      .map((order) => `${JSON.stringify(order)}\n`)
      .join(''),
  );
  await until(() => !existsSync(folder));
  mkdirSync(folder);
  await ended;
  expect([existsSync(folder), existsSync(other)]).toEqual([false, true]);
});
