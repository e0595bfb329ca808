import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Capability } from './capability.ts';
import { PrivatePool } from './private-pool.ts';

const listOf = <Item extends z.ZodType<string, string>>(item: Item, max: number) =>
  z
    .array(item)
    .max(max)
    .refine((values) => new Set(values).size === values.length, { error: 'Contains a value twice.' });

const lists = {
  capabilities: listOf(Capability, Capability.options.length).meta({
    description: 'What members may do beyond their role.',
  }),
  pools: listOf(PrivatePool, 20).meta({
    description: 'Private pools whose cases members are offered, after their own pool.',
  }),
  languages: listOf(Language, Language.options.length).meta({
    description: 'Languages of cases that members are offered besides their own.',
  }),
};

/** What a group adds for its members; no group takes anything away. */
export const GroupSettings = z
  .object(lists)
  .meta({ id: 'GroupSettings', description: 'What a group adds for its members.' });
export type GroupSettings = z.output<typeof GroupSettings>;

export const GroupSettingsChange = z
  .strictObject(lists)
  .partial()
  .meta({ id: 'GroupSettingsChange', description: 'A list that is absent stays as it is.' });

/** What stored settings grant; values that are no longer known grant nothing. */
export function granted(settings: unknown): GroupSettings {
  const stored = z.record(z.string(), z.unknown()).catch({}).parse(settings);
  const valid = <Value>(values: unknown, schema: z.ZodType<Value>): Value[] =>
    z
      .array(z.unknown())
      .catch([])
      .parse(values)
      .flatMap((value) => {
        const parsed = schema.safeParse(value);
        return parsed.success ? [parsed.data] : [];
      });
  return {
    capabilities: valid(stored['capabilities'], Capability),
    pools: valid(stored['pools'], PrivatePool),
    languages: valid(stored['languages'], Language),
  };
}
