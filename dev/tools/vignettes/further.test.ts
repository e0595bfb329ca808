// Further patients, in the words and gaps of laypeople, as dev/tools/vignettes/known.test.ts tries the known ones.
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { faultKinds } from './faults.ts';
import { limits, type Result, resultOf } from './figures.ts';
import { inProcessGateway } from './in-process.ts';
import { tryAll } from './try-all.ts';
import { readVignettes } from './vignette.ts';

const vignettes = readVignettes(
  join(import.meta.dirname, '..', '..', '..', 'test', 'vignettes', 'further.jsonl'),
);
/** Whoever skips is asked what a rule needs; who is willing is in `npm run vignettes -- test/vignettes/further.jsonl`. */
const channels = ['api', 'skipping'] as const;
let result: Result;

beforeAll(async () => {
  result = resultOf(await tryAll(inProcessGateway('en'), new Uint8Array(), vignettes, { channels }));
});

describe.each(channels)('by %s', (channel) => {
  const faultsOf = (kind: (typeof faultKinds)[number]) =>
    result.faults
      .filter((fault) => fault.channel === channel && fault.kind === kind)
      .map(({ id, why }) => `${id}: ${why}`);

  test.each(faultKinds.filter((kind) => kind !== 'over-triaged'))('no vignette is %s', (kind) => {
    expect(faultsOf(kind)).toEqual([]);
  });

  test('at most a tenth of the harmless is over-triaged', () => {
    const own = result.figures.find((figures) => figures.channel === channel);
    expect(own).toMatchObject({ vignettes: 180, harmless: 80 });
    expect(faultsOf('over-triaged').length).toBeLessThanOrEqual(
      (own?.harmless ?? 0) * limits.overTriagedShare,
    );
  });
});
