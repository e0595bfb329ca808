// npm run live: prints the live counts of a running gateway as they change, as an admin; Ctrl-C ends it.
import { demoUsers } from '../../../src/cli/seed.ts';
import { createDermagate, inMemory } from '../../packages/client/src/index.ts';
import { staffCalls } from '../../packages/client/src/staff.ts';
import { scriptArguments } from '../../services/script-arguments.ts';
import { describeCounts } from './describe-counts.ts';

const admin = demoUsers.find(({ role }) => role === 'admin');
const text = (value: string | undefined) => ({ type: 'string', default: value ?? '' }) as const;
const {
  values: { url, ...credentials },
} = scriptArguments('usage: npm run live [-- --url URL] [--email ADDRESS --password PASSWORD]', {
  options: {
    url: text('http://127.0.0.1:7071'),
    email: text(admin?.email),
    password: text(admin?.password),
  },
});

try {
  const api = createDermagate({ baseUrl: url, tokens: inMemory() });
  await api.session.logIn(credentials);
  for await (const counts of staffCalls(api).queue.followCounts()) console.log(describeCounts(counts));
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
