// SCIN: self-reported skin complaints, labelled by dermatologists. See README.md for source and licence.
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { PartialAnamnesis } from '../../packages/client/src/index.ts';
import { keysOf } from './keys-of.ts';
import { readRows } from './read-rows.ts';
import type { DataSet, ReplayCase } from './replay-case.ts';
import {
  ageGroups,
  categories,
  changes,
  durations,
  kinds,
  localSymptoms,
  places,
  ScinRow,
  skinTypes,
  systemicSymptoms,
  textures,
} from './scin-columns.ts';
import labelMap from './scin-label-map.json' with { type: 'json' };

/** Base address of the data set's `image_n_path`. */
export const SCIN_IMAGES = 'https://storage.googleapis.com/dx-scin-public-data/';

export const LabelRow = z.object({ case_id: z.string().min(1), weighted_skin_condition_label: z.string() });

/** Cases of `scin_cases.csv` with the labels of `scin_labels.csv`; with the photos that exist in the folder. */
export function readScin(folder: string): DataSet {
  const labels = new Map(
    readRows(join(folder, 'scin_labels.csv'), LabelRow).map((row) => [
      row.case_id,
      likeliest(row.weighted_skin_condition_label),
    ]),
  );
  const cases = readRows(join(folder, 'scin_cases.csv'), ScinRow).map((row): ReplayCase => {
    const label = labels.get(row.case_id);
    return {
      id: row.case_id,
      anamnesis: scinAnamnesis(row),
      label: label === undefined ? undefined : slugOf[label],
      photo: photoOf(row, folder),
    };
  });
  return { name: 'SCIN', cases };
}

/** `race_ethnicity_*` is dropped on purpose. */
export function scinAnamnesis(row: ScinRow): PartialAnamnesis {
  const { sex_at_birth: sex } = row;
  const skinType = skinTypes[row.fitzpatrick_skin_type];
  const known = sex === 'FEMALE' ? 'female' : sex === 'MALE' ? 'male' : undefined;
  const locations = chosen(row, places);
  const felt = chosen(row, localSymptoms);
  const changed = chosen(row, changes);
  const systemic = chosen(row, systemicSymptoms);
  const surface = chosen(row, textures);
  const nothingFelt = row.condition_symptoms_no_relevant_experience;
  const nothingElse = row.other_symptoms_no_relevant_symptoms;
  const images = imagesOf(row);
  return {
    schemaVersion: '1',
    language: 'en',
    reporter: 'self',
    patient: {
      ageGroup: ageGroups[row.age_group],
      gender: known ?? 'unknown',
      ...(known !== undefined && { sexAtBirth: known }),
      ...(skinType !== undefined && { fitzpatrickSkinType: skinType }),
    },
    complaint: {
      category: categories[row.related_category],
      duration: durations[row.condition_duration],
    },
    locations: locations.length > 0 ? locations : [places.body_parts_other],
    lesion: {
      ...(surface.length > 0 && { textures: surface }),
      ...(changed.length > 0 && { changes: changed }),
    },
    symptoms: {
      emergency: ['none'],
      // A contributor who ticked only "growing" answered the question and named no symptom.
      ...((felt.length > 0 || changed.length > 0) && { local: felt }),
      ...(nothingFelt && felt.length === 0 && changed.length === 0 && { local: ['none'] }),
      ...(systemic.length > 0 && { systemic }),
      ...(nothingElse && systemic.length === 0 && { systemic: ['none'] }),
    },
    medications: [],
    ...(images.length > 0 && { images }),
  };
}

function imagesOf(row: ScinRow): NonNullable<PartialAnamnesis['images']> {
  const shots = [
    [row.image_1_path, row.image_1_shot_type],
    [row.image_2_path, row.image_2_shot_type],
    [row.image_3_path, row.image_3_shot_type],
  ] as const;
  return shots.flatMap(([path, shot]) =>
    path === '' ? [] : [{ url: `${SCIN_IMAGES}${path}`, ...(shot !== '' && { kind: kinds[shot] }) }],
  );
}

function photoOf(row: ScinRow, folder: string): string | undefined {
  return [row.image_1_path, row.image_2_path, row.image_3_path]
    .filter((path) => path !== '')
    .flatMap((path) => [join(folder, path), join(folder, basename(path))])
    .find((file) => existsSync(file));
}

/**
 * The condition with the greatest weight in a Python dictionary such as `{'Eczema': 0.67, "Grover's disease": 0.33}`;
 * the first of equal ones. Undefined without any.
 */
export function likeliest(weights: string): string | undefined {
  return readWeights(weights).toSorted((a, b) => b.weight - a.weight)[0]?.name;
}

/** The conditions of such a dictionary, in its order. */
export function readWeights(weights: string): { name: string; weight: number }[] {
  return [...weights.matchAll(/(['"])((?:\\.|(?!\1).)*)\1\s*:\s*([\d.]+)/g)].map(
    ([, , name = '', weight]) => ({ name: name.replaceAll(/\\(.)/g, '$1'), weight: Number(weight) }),
  );
}

/** The catalogue's name of a condition, by the data set's. */
export const slugOf: Readonly<Record<string, string>> = labelMap.labelToSlug;

function chosen<Column extends keyof ScinRow, Value>(
  row: ScinRow,
  values: Readonly<Record<Column, Value>>,
): Value[] {
  return keysOf(values)
    .filter((column) => row[column] === true)
    .map((column) => values[column]);
}
