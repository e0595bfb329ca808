import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parameterSchemas } from '../../../../src/domain/platform/parameters/parameter-schemas.ts';
import { type Entry, entryOf, valueOf } from '../src/office/parameters/entry.ts';
import { type JsonSchema, kindOf, type ValueKind } from '../src/office/parameters/value-kind.ts';

/** What the form shows for each parameter that the gateway knows, from the schema that it sends. */
const kinds = Object.entries(parameterSchemas).flatMap(([name, schema]) => {
  const sent = z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
  return Object.entries(sent.properties ?? {}).map(([key, each]) => {
    const standard = (schema.parse({}) as Record<string, unknown>)[key];
    return { name: `${name} ${key}`, kind: kindOf(each, sent.$defs ?? {}), standard };
  });
});
const kindNamed = (name: string): ValueKind =>
  kinds.find((each) => each.name === name)?.kind ?? { kind: 'json' };

test.each(kinds)('the default of $name comes back from its controls unchanged', ({ kind, standard }) => {
  expect(valueOf(kind, entryOf(kind, standard))).toEqual({ ok: true, value: standard });
});

test('only what a form cannot show is edited as JSON', () => {
  expect(kinds.filter(({ kind }) => kind.kind === 'json').map(({ name }) => name)).toEqual([
    'eligibility/rules excluded_sites',
    'mobile/app maintenance',
    'mobile/app links',
  ]);
});

describe.each<[string, Entry, unknown]>([
  ['queue/rules lease_minutes', '5', 5],
  ['queue/rules pool_open_minutes', { '0': '1', '1': '2.5', '2': '3' }, [1, 2.5, 3]],
  ['eligibility/rules quota', { cases: '3', days: '7' }, { cases: 3, days: 7 }],
  ['notify/rules quiet_hours', null, null],
  ['notify/rules quiet_hours', { from: '22', to: '6' }, { from: 22, to: 6 }],
  ['notify/rules reminder_days', ' 2,5 ,', [2, 5]],
  ['notify/rules channels', [], []],
  ['mobile/app support_email', ' ', null],
  ['mobile/app support_email', ' help@example.org', 'help@example.org'],
  ['mobile/app links', '{ "help": "https://example.org" }', { help: 'https://example.org' }],
])('%s', (name, entry, value) => {
  test(`${JSON.stringify(entry)} is ${JSON.stringify(value)}`, () => {
    expect(valueOf(kindNamed(name), entry)).toEqual({ ok: true, value });
  });
});

describe.each<[string, Entry, object, string?]>([
  ['queue/rules lease_minutes', '4', { code: 'range', min: 5, max: 240 }],
  ['queue/rules lease_minutes', '241', { code: 'range', min: 5, max: 240 }],
  ['queue/rules lease_minutes', '5.5', { code: 'whole' }],
  ['queue/rules lease_minutes', '', { code: 'number' }],
  // More than nothing: the smallest bound itself does not fit.
  ['queue/sla_hours routine', '0', { code: 'above', min: 0, max: 8760 }],
  ['queue/rules pool_open_minutes', { '0': '1', '1': '-2', '2': '3' }, { code: 'range' }, '1'],
  ['notify/rules quiet_hours', { from: '22', to: '24' }, { code: 'range', min: 0, max: 23 }, 'to'],
  ['notify/rules reminder_days', '1,2,3,4,5,6', { code: 'many', max: 5 }],
  ['notify/rules reminder_days', '1,soon', { code: 'number' }],
  ['portal/features languages', [], { code: 'few', min: 1 }],
  ['legal/consent version', ' ', { code: 'required' }],
  ['legal/consent version', 'v'.repeat(33), { code: 'invalid' }],
  ['mobile/app min_version', '1.x', { code: 'invalid' }],
  ['mobile/app links', '{ "help": ', { code: 'json' }],
])('%s', (name, entry, problem, path = '') => {
  test(`${JSON.stringify(entry)} is refused`, () => {
    expect(valueOf(kindNamed(name), entry)).toMatchObject({ ok: false, path, problem });
  });
});

test('a choice of several schemas, and a list of lists, are JSON', () => {
  const text = { type: 'string' };
  expect(kindOf({ anyOf: [text, { type: 'number' }] }, {})).toEqual({ kind: 'json' });
  expect(kindOf({ type: 'array', items: { type: 'array', items: text } }, {})).toEqual({ kind: 'json' });
});
