import { z } from 'zod';
import { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/context.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import { findParameters } from '../parameters/parameter.queries.ts';
import { readParameters } from '../parameters/read-parameters.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

const shipped = loadMessages<Record<ResourceKey, string>>({ en, he, ar, es });
type ResourceKey = 'consent' | 'privacy' | 'photo_guide';

/** The version of the texts that are shipped. */
const shippedVersion = '1';

const resources = {
  consent: { key: 'consent', parameter: 'legal/consent' },
  privacy: { key: 'privacy', parameter: 'legal/privacy' },
  'photo-guide': { key: 'photo_guide', parameter: undefined },
} as const;
export type ResourceName = keyof typeof resources;
export const resourceNames = Object.keys(resources) as [ResourceName, ...ResourceName[]];

export interface Resource {
  text: string;
  language: Language;
  version: string;
}

/** A text of one version in the languages that a tenant has it in. */
const OwnTexts = z.partialRecord(Language, z.string().min(1).max(20_000));

/**
 * A published text: the tenant's own, else the one that is shipped. A version that the tenant wrote is never replaced by a
 * shipped text; where it lacks the language it is the English one.
 *
 * @param version the current one where absent.
 * @throws {Problem} `resource_not_found`
 */
export async function readResource(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'request'>,
  tenantId: number,
  { name, version }: { name: ResourceName; version: string | undefined },
): Promise<Resource> {
  const { key, parameter } = resources[name];
  const { language } = context.request;
  const current =
    parameter === undefined ? shippedVersion : (await readParameters(context, tenantId, parameter)).version;
  const wanted = version ?? current;
  const own = await findOwnTexts(context, tenantId, name, wanted);
  for (const each of [language, 'en'] as const) {
    const text = own?.[each];
    if (text !== undefined) return { text, language: each, version: wanted };
  }
  if (own !== undefined || wanted !== shippedVersion) throw new Problem('resource_not_found');
  return { text: shipped.in(language)[key], language, version: wanted };
}

/** Stored as the parameter `resources/<name>`, key `v<version>`; what is no letter or digit of the version as `_`. */
async function findOwnTexts(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  tenantId: number,
  name: ResourceName,
  version: string,
): Promise<Partial<Record<Language, string>> | undefined> {
  const key = `v${version.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`;
  const rows = (await findParameters(context, tenantId, `resources/${name}`)).filter(
    (row) => row.key === key,
  );
  const row = rows.find(({ tenant_id: owner }) => owner !== null) ?? rows[0];
  if (row === undefined) return undefined;
  const texts = OwnTexts.safeParse(row.value);
  if (texts.success) return texts.data;
  context.log.warn('parameter_invalid', { parameter: `resources/${name}/${key}`, tenant: row.tenant_id });
  return {};
}
