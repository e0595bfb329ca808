import type { AccountActor } from '../../../contract/actor.ts';
import type { Language } from '../../../contract/language.ts';
import { Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import { openCursor, sealCursor } from '../../../lib/paging/cursor.ts';
import { inTenant } from '../../../lib/db/tenant.ts';
import { nameKeys } from '../../../lib/text/name-keys.ts';
import { type Entry, entriesAtOnce, findVersion, readEntries } from './disease-list.queries.ts';
import type { DiseaseList, ListedDisease } from './disease-list.schemas.ts';

/** Rows that one request reads to find what it looks for; its cursor leads on from there. */
const maxScanned = 5000;

/**
 * A page of a list of diseases, in the order of their ids. A page may be short although a cursor leads on.
 *
 * @param q words, each the beginning of a word of a name in any language, or of a code.
 * @throws {Problem} `vendor_not_found`, `cursor_invalid`
 */
export async function listDiseases(
  { db, config, request: { language } }: Context,
  { tenantId }: AccountActor,
  {
    vendor,
    q,
    updatedSince,
    cursor,
    limit,
  }: {
    vendor: string;
    q?: string | undefined;
    updatedSince?: Date | undefined;
    cursor?: string | undefined;
    limit: number;
  },
): Promise<DiseaseList> {
  const filters = { vendor, q, since: updatedSince?.toISOString() };
  const scope = { list: 'diseases', tenantId, filters };
  const [start] = cursor === undefined ? [0] : openCursor(config, scope, cursor);
  const sought = q === undefined ? undefined : nameKeys(q);
  return await inTenant(db, tenantId, async (tx) => {
    const version = await findVersion(tx, vendor);
    if (version === null) throw new Problem('vendor_not_found');
    const found: Entry[] = [];
    let after = Number(start);
    let isEnd = false;
    for (let scanned = 0; found.length <= limit && scanned < maxScanned && !isEnd; scanned += entriesAtOnce) {
      const rows = await readEntries(tx, vendor, updatedSince, after);
      found.push(...rows.filter((row) => sought === undefined || matches(row, sought)));
      after = rows.at(-1)?.id ?? after;
      isEnd = rows.length < entriesAtOnce;
    }
    const items = found.slice(0, limit);
    const hasMore = found.length > limit;
    const position = hasMore ? (items.at(-1)?.id ?? 0) : after;
    return {
      vendor,
      version,
      items: items.map((row) => toListed(row, language)),
      next_cursor: hasMore || !isEnd ? sealCursor(config, scope, [position]) : null,
    };
  });
}

function matches({ names, synonyms, code, icd10, icd11 }: Entry, sought: readonly string[]): boolean {
  const words = nameKeys(...Object.values(names), ...Object.values(synonyms).flat(), code, icd10, icd11);
  return sought.length > 0 && sought.every((start) => words.some((word) => word.startsWith(start)));
}

function toListed(
  { names, synonyms: _synonyms, machine_drafted, ...row }: Entry,
  language: Language,
): ListedDisease {
  const name = names[language] ?? names.en ?? Object.values(names)[0] ?? row.code;
  return { ...row, name, machine_drafted: machine_drafted.includes(language) };
}
