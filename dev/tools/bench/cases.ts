// GET /api/v1/mobile/cases with five cases, whole and as a summary, compared with a bare handler and GET /healthy.
import { demoUsers } from '../../../src/cli/seed.ts';
import { seedCases } from '../../run/demo/cases.ts';
import { type Result, usual } from './benchmark.ts';
import { compare, significant } from './compare.ts';
import { logIn, pidsOf, type Rig } from './rig.ts';

export const name = 'cases';

export async function run(rig: Rig): Promise<Result> {
  const [app, bare] = await Promise.all([rig.app(), rig.bare()]);
  const [patient, physician] = (['patient', 'physician'] as const).map((role) => {
    const user = demoUsers.find((each) => each.role === role);
    if (user === undefined) throw new Error(`The seed has no ${role}.`);
    return user;
  }) as [(typeof demoUsers)[number], (typeof demoUsers)[number]];
  await seedCases(app.url, app.databaseUrl, { patient, physician });
  await rig.settle();
  const headers = { authorization: `Bearer ${await logIn(app.url, patient)}` };
  const get = { kind: 'http', method: 'GET', status: 200 } as const;
  const list = (view: 'full' | 'summary') => ({
    name: `five cases, ${view}`,
    load: { ...get, origin: app.url, path: `/api/v1/mobile/cases?limit=5&view=${view}`, headers },
    pids: app.pids,
  });
  const { cpuRatios } = await compare(
    rig.generator(),
    list('summary'),
    [
      list('full'),
      { name: 'GET /healthy', load: { ...get, origin: app.url, path: '/healthy' }, pids: app.pids },
      { name: 'bare handler', load: { ...get, origin: bare.url, path: '/bare' }, pids: pidsOf(bare) },
    ],
    usual,
  );
  const ratio = cpuRatios['five cases, full'] ?? Number.NaN;
  const ofHealthy = cpuRatios['GET /healthy'] ?? Number.NaN;
  return {
    summary: `a list of cases as a summary: CPU × ${significant(ratio)} of the whole one, × ${significant(ofHealthy)} of /healthy`,
    goals: [{ what: 'CPU of a summary, of the whole list', ratio, atMost: 0.75 }],
  };
}
