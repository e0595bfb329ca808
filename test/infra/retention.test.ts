import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBicep, type Value } from '../../dev/tools/infra/read-bicep.ts';

// How long what was deleted lives on is a promise to the people it is about: docs/operations.md makes it, infra fulfils it.

const root = join(import.meta.dirname, '..', '..');
const operations = readFileSync(join(root, 'docs/operations.md'), 'utf8').replaceAll(/\s+/g, ' ');
const main = readBicep(join(root, 'infra/main.bicep'));

/** As the parameter file gives it, or by default. */
function days(installation: 'prod' | 'dev', name: string): number {
  const given = readFileSync(join(root, `infra/${installation}.bicepparam`), 'utf8');
  const text =
    new RegExp(`^param ${name} = (\\d+)$`, 'm').exec(given)?.[1] ??
    / = (\d+)$/.exec(main.parameters.find((each) => each.name === name)?.text ?? '')?.[1];
  return Number(text);
}

test.each([
  [
    'deleted images',
    'imageRetentionDays',
    /image\*\* whose blob was deleted .{0,60}? for (\d+) days(?: \(dev: (\d+)\))?/,
  ],
  ['the database', 'postgresBackupDays', /restored to any second of the last (\d+) days(?: \(dev: (\d+)\))?/],
])(
  'the documents say for how many days %s can be brought back, of each installation',
  (_, name, sentence) => {
    const [, prod, dev = prod] = sentence.exec(operations) ?? [];
    expect({ prod: Number(prod), dev: Number(dev) }).toEqual({
      prod: days('prod', name),
      dev: days('dev', name),
    });
  },
);

test('nothing else preserves deleted images: no snapshots, no point-in-time restore, no legal hold, no second copy', () => {
  const { resources, file } = readBicep(join(root, 'infra/modules/image-storage.bicep'));
  const blobs = resources.find(({ type }) => type.endsWith('/blobServices'))?.body as {
    properties: Record<string, Value>;
  };
  expect(Object.keys(blobs.properties).toSorted()).toEqual([
    'containerDeleteRetentionPolicy',
    'deleteRetentionPolicy',
    'isVersioningEnabled',
  ]);
  for (const policy of ['containerDeleteRetentionPolicy', 'deleteRetentionPolicy']) {
    expect(blobs.properties[policy]).toMatchObject({ enabled: true, days: { expression: 'retentionDays' } });
  }
  expect(readFileSync(file, 'utf8')).not.toMatch(
    /immutab|legalHold|restorePolicy|changeFeed|objectReplication/i,
  );
});

test('the lifecycle removes old versions of every blob after a day, so that the soft delete alone counts', () => {
  const { resources } = readBicep(join(root, 'infra/modules/image-storage.bicep'));
  const policy = resources.find(({ type }) => type.endsWith('/managementPolicies'))?.body;
  const [rule] = (policy as { properties: { policy: { rules: Value[] } } }).properties.policy.rules;
  expect(rule).toEqual({
    name: 'remove-old-versions',
    enabled: true,
    type: 'Lifecycle',
    definition: {
      filters: { blobTypes: ['blockBlob'] },
      actions: { version: { delete: { daysAfterCreationGreaterThan: 1 } } },
    },
  });
});
