import { type RawBuilder, sql } from 'kysely';

/**
 * Whether a photo is part of a case: attached, or taken off after the submission, because a physician may have seen it.
 * One that was taken off the draft is the owner's alone; an edit that submits has one time for both, hence `>`.
 *
 * @param attached alias of `case_images` in the query.
 * @param record alias of `request_records`.
 */
export function isPartOf(attached: string, record: string): RawBuilder<boolean> {
  const removedAt = sql.ref(`${attached}.removed_at`);
  return sql<boolean>`(${removedAt} IS NULL OR ${removedAt} > ${sql.ref(`${record}.submitted_at`)})`;
}
