// npm run services: only PostgreSQL, Azurite, the AI service and the mail catcher, for `func start` or a debugger.
import { join } from 'node:path';
import { run } from '../services/lifecycle.ts';
import { lockFolder } from '../services/folder-lock.ts';
import { startServices } from '../services/start-services.ts';
import { scriptArguments } from '../services/script-arguments.ts';
import { askOnTerminal, migrateDatabase } from './migrate-database.ts';
import { givenSettings, writeLocalSettings } from './settings.ts';

const root = join(import.meta.dirname, '..', '..');

const command = 'npm run services';
const usage = `usage: npm run services [-- --fresh]     (settings come from the environment and local.settings.json)
  --fresh  replace the database of .local, and its demo data, by an empty one`;
const { values: options } = scriptArguments(usage, {
  options: { fresh: { type: 'boolean', default: false } },
});

await run(async (life) => {
  const folder = await lockFolder(join(root, '.local'), command);
  life.undo(folder.release);
  const given = givenSettings(root, process.env);
  const report = (line: string) => console.log(`  ${line}`);
  const services = await startServices(folder, given, report);
  life.undo(services.stop);
  const databaseUrl = services.settings['DATABASE_URL'] ?? given['DATABASE_URL'];
  if (databaseUrl !== undefined) {
    const applied = await migrateDatabase(databaseUrl, {
      replace: services.replaceDatabase,
      fresh: options.fresh,
      ask: askOnTerminal(),
      command,
      report,
    });
    report(`Database migrated: ${applied.length === 0 ? 'up to date' : `${applied.length} applied`}`);
  }
  const kept = writeLocalSettings(root, services.settings);
  const note = kept.length === 0 ? '' : ` (left as you wrote them: ${kept.join(', ')})`;
  console.log(`\nWrote their addresses and the secrets of .local to local.settings.json${note}.`);
  console.log('Next: npm run start:func in a second terminal. Ctrl-C stops the services.');
  void services.death.then(life.fail);
});
