// npm run services: only PostgreSQL, Azurite, the AI service and the mail catcher, for `func start` or a debugger.
import { join } from 'node:path';
import { migrateToLatest } from '../../src/cli/migrate.ts';
import { run } from '../services/lifecycle.ts';
import { lockFolder } from '../services/folder-lock.ts';
import { startServices } from '../services/start-services.ts';
import { scriptArguments } from '../services/script-arguments.ts';
import { givenSettings, writeLocalSettings } from './settings.ts';

const root = join(import.meta.dirname, '..', '..');

scriptArguments(
  'usage: npm run services     (settings come from the environment and local.settings.json)',
  {},
);

await run(async (life) => {
  const folder = await lockFolder(join(root, '.local'), 'npm run services');
  life.undo(folder.release);
  const given = givenSettings(root, process.env);
  const services = await startServices(folder, given, (line) => console.log(`  ${line}`));
  life.undo(services.stop);
  const databaseUrl = services.settings['DATABASE_URL'] ?? given['DATABASE_URL'];
  if (databaseUrl !== undefined) {
    const { applied } = await migrateToLatest(databaseUrl);
    console.log(`  Database migrated: ${applied.length === 0 ? 'up to date' : `${applied.length} applied`}`);
  }
  const kept = writeLocalSettings(root, services.settings);
  const note = kept.length === 0 ? '' : ` (left as you wrote them: ${kept.join(', ')})`;
  console.log(`\nWrote their addresses and the secrets of .local to local.settings.json${note}.`);
  console.log('Next: npm run start:func in a second terminal. Ctrl-C stops the services.');
  void services.death.then(life.fail);
});
