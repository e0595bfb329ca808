// GET /healthy compared with a bare handler: the cost of serve() (request id, log line, headers, reply check).
import { usual } from './benchmark.ts';
import { compare, significant } from './compare.ts';
import { pidsOf, type Rig } from './rig.ts';

export const name = 'healthy';

export async function run(rig: Rig): Promise<string> {
  const [app, bare] = await Promise.all([rig.app(), rig.bare()]);
  const get = { kind: 'http', method: 'GET', status: 200 } as const;
  const { shares } = await compare(
    rig.generator(),
    { name: 'GET /healthy', load: { ...get, origin: app.url, path: '/healthy' }, pids: app.pids },
    [{ name: 'bare handler', load: { ...get, origin: bare.url, path: '/bare' }, pids: pidsOf(bare) }],
    usual,
  );
  return `healthy × ${significant(shares['bare handler'] ?? Number.NaN)}`;
}
