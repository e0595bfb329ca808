import { type FieldError, Problem } from '../../../contract/problem.ts';
import type { Context } from '../../../lib/app/context.ts';
import type { Tx } from '../../../lib/db/connect.ts';
import type { PartialAnamnesis } from '../../intake/anamnesis/anamnesis.schemas.ts';
import { readAnamnesis } from '../record/analysis.queries.ts';
import { isMoreDangerous, withOwnRules } from '../record/case-flags.ts';
import type { CaseRecord } from '../record/case.queries.ts';
import { missingAnswers } from '../admission/gather-facts.ts';
import { listCasePhotos } from '../photos/case-photos.queries.ts';

interface Edited {
  /** As they are to be; undefined where they stay. */
  anamnesis?: PartialAnamnesis | undefined;
  photos?: readonly unknown[] | undefined;
}

/**
 * A case that was queued is read by physicians as its patient leaves it, and no submission judges it again: an edit removes no
 * answer that a submission needs, and not every photo. One that brings a new danger, or makes the case more urgent, is accepted
 * whatever it lacks.
 *
 * @param record locked, with its answers and photos as they were.
 * @throws {Problem} `case_incomplete` naming what would be lost
 */
export async function requireNothingLost(
  tx: Tx,
  { config }: Pick<Context, 'config'>,
  record: CaseRecord,
  { anamnesis, photos }: Edited,
): Promise<void> {
  if (record.queued_at === null) return;
  const before = await readAnamnesis(tx, record);
  const after = anamnesis ?? before;
  const flags = withOwnRules(record, after);
  // A level only grows.
  if (isMoreDangerous(flags, record) || flags.triageLevel !== record.triage_level) return;
  const missing = missingAnswers(after, record.language, config.IMAGE_URL_HOSTS);
  const errors = missing
    .filter((pointer) => isAnswered(before, pointer))
    .map((pointer): FieldError => {
      const message = 'A required answer cannot be removed.';
      return { pointer: `/anamnesis${pointer}`, code: 'required', message };
    });
  if (photos?.length === 0 && (await listCasePhotos(tx, [record.uuid])).length > 0) {
    errors.push({ pointer: '/images', code: 'required', message: 'At least one photo is required.' });
  }
  if (errors.length > 0) throw new Problem('case_incomplete', { errors });
}

/** Whether there is something at a JSON pointer, none of whose keys is escaped. */
function isAnswered(anamnesis: PartialAnamnesis, pointer: string): boolean {
  const keys = pointer.split('/').slice(1);
  const value = keys.reduce<unknown>(
    (at, key) => (at as Record<string, unknown> | undefined)?.[key],
    anamnesis,
  );
  return value !== undefined;
}
