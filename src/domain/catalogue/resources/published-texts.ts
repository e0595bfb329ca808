import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { loadMessages } from '../../platform/texts/messages.ts';
import { findParameters } from '../../platform/parameters/parameter.queries.ts';
import { StoredTexts } from '../../platform/parameters/parameter-schemas.ts';
import { readParameters } from '../../platform/parameters/read-parameters.ts';
import ar from './messages/ar.json' with { type: 'json' };
import en from './messages/en.json' with { type: 'json' };
import es from './messages/es.json' with { type: 'json' };
import he from './messages/he.json' with { type: 'json' };

const shipped = loadMessages<Record<ResourceKey, string>>({ en, he, ar, es });
type ResourceKey = 'consent' | 'privacy' | 'photo_guide';

/** The version of the texts and documents that are shipped. */
export const shippedVersion = '1';

export const texts = {
  consent: { key: 'consent', parameter: 'legal/consent' },
  privacy: { key: 'privacy', parameter: 'legal/privacy' },
  'photo-guide': { key: 'photo_guide', parameter: undefined },
} as const;
export type TextName = keyof typeof texts;

export interface Resource {
  text: string;
  /** Undefined for a document, which has labels in every language or none at all. */
  language: Language | undefined;
  version: string;
  contentType: string;
}

export type ResourceContext = Pick<Context, 'db' | 'clock' | 'log' | 'memory' | 'request'>;
export interface Wanted<Name> {
  name: Name;
  /** The current one where undefined. */
  version: string | undefined;
}

/**
 * A published text: the tenant's own, else the one that is shipped. A version that the tenant wrote is never replaced by a
 * shipped text; where it lacks the language it is the English one.
 *
 * @throws {Problem} `resource_not_found`
 */
export async function readText(
  context: ResourceContext,
  tenantId: number,
  { name, version }: Wanted<TextName>,
): Promise<Resource> {
  const { key, parameter } = texts[name];
  const contentType = 'text/plain; charset=utf-8';
  const { language } = context.request;
  const current =
    parameter === undefined ? shippedVersion : (await readParameters(context, tenantId, parameter)).version;
  const wanted = version ?? current;
  const own = await findOwnTexts(context, tenantId, name, wanted);
  for (const each of [language, 'en'] as const) {
    const text = own?.[each];
    if (text !== undefined) return { text, language: each, version: wanted, contentType };
  }
  if (own !== undefined || wanted !== shippedVersion) throw new Problem('resource_not_found');
  return { text: shipped.in(language)[key], language, version: wanted, contentType };
}

/** The key of a version in the parameter `resources/<name>`; what is no letter or digit of the version as `_`. */
export const textKey = (version: string): string => `v${version.toLowerCase().replaceAll(/[^a-z0-9]/g, '_')}`;

async function findOwnTexts(
  context: Pick<Context, 'db' | 'clock' | 'log' | 'memory'>,
  tenantId: number,
  name: TextName,
  version: string,
): Promise<Partial<Record<Language, string>> | undefined> {
  const key = textKey(version);
  const rows = (await findParameters(context, tenantId, `resources/${name}`)).filter(
    (row) => row.key === key,
  );
  const row = rows.find(({ tenant_id: owner }) => owner !== null) ?? rows[0];
  if (row === undefined) return undefined;
  const own = StoredTexts.safeParse(row.value);
  if (own.success) return own.data;
  context.log.warn('parameter_invalid', { parameter: `resources/${name}/${key}`, tenant: row.tenant_id });
  return {};
}
