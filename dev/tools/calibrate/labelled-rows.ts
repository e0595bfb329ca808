// The rows for fitting and measuring a calibration: those with a label, mapped as in the replay.
import { join } from 'node:path';
import { z } from 'zod';
import type { PartialAnamnesis } from '../../packages/client/src/index.ts';
import { labels as padLabels, padAnamnesis, PadRow } from '../replay/pad.ts';
import { readRows } from '../replay/read-rows.ts';
import { LabelRow, likeliest, readWeights, scinAnamnesis, slugOf } from '../replay/scin.ts';
import { ScinRow } from '../replay/scin-columns.ts';

export interface LabelledRow {
  anamnesis: PartialAnamnesis;
  /** Slug of the catalogue; undefined when the row's label names a condition that the catalogue lacks. */
  label: string | undefined;
  /** Rows of one patient share a group, which is never split between fitting and measuring. */
  group: string;
}

export interface ScinLabelledRow extends LabelledRow {
  row: ScinRow;
  /** The dermatologists' weights by slug, without conditions outside the catalogue. */
  weights: ReadonlyMap<string, number>;
}

export interface PadLabelledRow extends LabelledRow {
  row: PadRow;
}

/**
 * SCIN's labelled cases, including labels outside the catalogue: every prediction is wrong there, and a probability must
 * reflect that. The data set does not identify contributors, so each case is a group of its own.
 */
export function readLabelledScin(folder: string): ScinLabelledRow[] {
  const labels = new Map(
    readRows(join(folder, 'scin_labels.csv'), LabelRow).map((row) => [
      row.case_id,
      row.weighted_skin_condition_label,
    ]),
  );
  return readRows(join(folder, 'scin_cases.csv'), ScinRow).flatMap((row) => {
    const text = labels.get(row.case_id) ?? '';
    const label = likeliest(text);
    if (label === undefined) return [];
    const anamnesis = scinAnamnesis(row);
    return [{ row, anamnesis, label: slugOf[label], group: row.case_id, weights: weightsBySlug(text) }];
  });
}

function weightsBySlug(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const { name, weight } of readWeights(text)) {
    const slug = slugOf[name];
    if (slug !== undefined) weights.set(slug, (weights.get(slug) ?? 0) + weight);
  }
  return weights;
}

const PatientRow = z.intersection(PadRow, z.object({ patient_id: z.string().min(1) }));

/** PAD-UFES-20's lesions; a patient has up to a dozen of them, and a lesion several photos. */
export function readLabelledPad(folder: string): PadLabelledRow[] {
  return readRows(join(folder, 'metadata.csv'), PatientRow).map(({ patient_id: group, ...row }) => ({
    row,
    anamnesis: padAnamnesis(row),
    label: padLabels[row.diagnostic],
    group,
  }));
}
