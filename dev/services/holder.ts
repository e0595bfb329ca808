// A process that locks a folder and runs one service in it, for tests to kill: `holder.ts FOLDER`.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startAzurite } from './azurite.ts';
import { lockFolder } from './folder-lock.ts';

const folder = await lockFolder(process.argv[2] ?? '', 'npm start');
folder.announce('http://127.0.0.1:7071');
const { child } = await startAzurite(folder, {
  accountKey: randomBytes(64).toString('base64'),
  logFile: join(folder.path, 'azurite.log'),
});
process.stdout.write(`${child.pid}\n`);
setInterval(() => undefined, 1000);
