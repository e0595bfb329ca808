// npm run services: PostgreSQL, Azurite, the AI service and the mail catcher alone, for `func start` or a debugger.
import { join } from 'node:path';
import { run } from './lifecycle.ts';
import { holdFolder } from './services/held-folder.ts';
import { startServices } from './services/start-services.ts';
import { givenSettings, writeLocalSettings } from './settings.ts';

const root = join(import.meta.dirname, '..');

await run(async (life) => {
  const folder = await holdFolder(join(root, '.local'), 'npm run services');
  life.undo(folder.release);
  const services = await startServices(folder, givenSettings(root, process.env), (line) =>
    console.log(`  ${line}`),
  );
  life.undo(services.stop);
  const kept = writeLocalSettings(root, services.settings);
  const note = kept.length === 0 ? '' : ` (left as you wrote them: ${kept.join(', ')})`;
  console.log(`\nlocal.settings.json has their addresses and the secrets of .local${note}.`);
  console.log(
    'Next: npm run db:migrate, then npm run start:func in a second terminal. Ctrl-C stops the services.',
  );
  void services.death.then(life.fail);
});
