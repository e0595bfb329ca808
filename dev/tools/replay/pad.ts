// PAD-UFES-20: growths photographed with phones, most of them confirmed by biopsy. See README.md for source and licence.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { PartialAnamnesis } from '../../packages/client/src/index.ts';
import { keysOf } from './keys-of.ts';
import { readRows } from './read-rows.ts';
import type { DataSet, ReplayCase } from './replay-case.ts';

/** `UNK` means asked but unknown, empty means not asked: neither is an answer. */
const answer = z
  .enum(['True', 'False', 'UNK', ''])
  .transform((text) => (text === 'True' ? true : text === 'False' ? false : undefined));

const number = z
  .string()
  .regex(/^(\d+(\.\d+)?)?$/, 'must be a number or nothing')
  .transform((text) => (text === '' ? undefined : Number(text)));

export const places = {
  ARM: { primary: 'arm' },
  FOREARM: { primary: 'arm', secondary: 'forearm' },
  HAND: { primary: 'hand' },
  FACE: { primary: 'head_neck', secondary: 'face' },
  NOSE: { primary: 'head_neck', secondary: 'nose' },
  EAR: { primary: 'head_neck', secondary: 'ear' },
  SCALP: { primary: 'head_neck', secondary: 'scalp' },
  LIP: { primary: 'head_neck', secondary: 'lips' },
  NECK: { primary: 'head_neck', secondary: 'neck_front' },
  CHEST: { primary: 'trunk_front', secondary: 'chest' },
  ABDOMEN: { primary: 'trunk_front', secondary: 'abdomen' },
  BACK: { primary: 'trunk_back' },
  THIGH: { primary: 'leg', secondary: 'thigh' },
  FOOT: { primary: 'foot' },
} as const;

/** The catalogue's name of a diagnosis, by the data set's. */
export const labels = {
  NEV: 'melanocytic_naevus',
  SEK: 'seborrhoeic_keratosis',
  ACK: 'actinic_keratosis',
  BCC: 'basal_cell_carcinoma',
  /** Includes Bowen's disease. */
  SCC: 'squamous_cell_carcinoma',
  MEL: 'melanoma',
} as const;

export const PadRow = z.object({
  img_id: z.string().regex(/^[\w-]+\.(png|jpe?g)$/i, 'must be the name of a picture'),
  diagnostic: z.enum(keysOf(labels)),
  region: z.enum(keysOf(places)),
  age: number,
  gender: z.enum(['FEMALE', 'MALE', '']),
  fitspatrick: z.enum(['1.0', '2.0', '3.0', '4.0', '5.0', '6.0', '']),
  diameter_1: number,
  diameter_2: number,
  itch: answer,
  hurt: answer,
  bleed: answer,
  grew: answer,
  changed: answer,
  elevation: answer,
  skin_cancer_history: answer,
  cancer_history: answer,
  smoke: answer,
  drink: answer,
  pesticide: answer,
  biopsed: answer,
});
export type PadRow = z.output<typeof PadRow>;

/** Cases of `metadata.csv`; photos are the files named in `img_id` that exist in the folder. */
export function readPad(folder: string): DataSet {
  const rows = readRows(join(folder, 'metadata.csv'), PadRow);
  return { name: 'PAD-UFES-20', cases: rows.map((row) => padCase(row, folder)) };
}

function padCase(row: PadRow, folder: string): ReplayCase {
  const photo = join(folder, row.img_id);
  return {
    id: row.img_id,
    anamnesis: padAnamnesis(row),
    label: labels[row.diagnostic],
    photo: existsSync(photo) ? photo : undefined,
  };
}

/** Patients' backgrounds, water supply and sewage have no counterpart and are dropped. */
export function padAnamnesis(row: PadRow): PartialAnamnesis {
  const type = row.fitspatrick[0] as '1' | '2' | '3' | '4' | '5' | '6' | undefined;
  return {
    schemaVersion: '1',
    language: 'en',
    patient: {
      ...(row.age === undefined ? { ageGroup: 'unknown' } : { ageYears: row.age }),
      gender: row.gender === 'FEMALE' ? 'female' : row.gender === 'MALE' ? 'male' : 'unknown',
      ...(type !== undefined && { fitzpatrickSkinType: `type_${type}` }),
    },
    complaint: { category: 'growth_or_mole', duration: 'unknown' },
    locations: [places[row.region]],
    lesion: lesion(row),
    symptoms: { emergency: ['none'], local: localSymptoms(row), systemic: ['none'] },
    history: history(row),
    ...(row.pesticide === true && { exposures: { recent: ['pesticide'] } }),
  };
}

function localSymptoms({ itch, hurt, bleed }: PadRow): ('itching' | 'pain' | 'bleeding' | 'none')[] {
  const felt = [
    ...(itch === true ? (['itching'] as const) : []),
    ...(hurt === true ? (['pain'] as const) : []),
    ...(bleed === true ? (['bleeding'] as const) : []),
  ];
  // All three were asked, so a missing one does not mean "none".
  return felt.length === 0 && [itch, hurt, bleed].every((one) => one === false) ? ['none'] : felt;
}

function lesion({ diameter_1, diameter_2, grew, changed, elevation }: PadRow): PartialAnamnesis['lesion'] {
  const largest = Math.max(diameter_1 ?? 0, diameter_2 ?? 0);
  const changes: ('size' | 'color' | 'shape' | 'none')[] = [
    ...(grew === true ? (['size'] as const) : []),
    // "Changed" does not specify the change; the 7-point checklist scores colour and shape.
    ...(changed === true ? (['color', 'shape'] as const) : []),
  ];
  if (grew === false && changed === false) changes.push('none');
  return {
    // A diameter of 0 in the data set means "not measured".
    ...(largest > 0 && { sizeMm: largest, size: sizeOf(largest) }),
    ...(changes.length > 0 && { changes }),
    ...(elevation !== undefined && { elevation: elevation ? ('raised' as const) : ('flat' as const) }),
  };
}

function sizeOf(mm: number) {
  if (mm < 2) return 'under_2_mm';
  if (mm < 7) return 'from_2_to_6_mm';
  if (mm < 11) return 'from_7_to_10_mm';
  if (mm < 21) return 'from_11_to_20_mm';
  return mm < 51 ? 'from_21_to_50_mm' : 'over_50_mm';
}

function history(row: PadRow): PartialAnamnesis['history'] {
  const { skin_cancer_history: skinCancer, cancer_history: cancer, smoke, drink, biopsed } = row;
  return {
    ...(skinCancer !== undefined && { skinCancerHistory: skinCancer ? 'type_unknown' : 'none' }),
    ...(cancer !== undefined && { cancerHistory: cancer }),
    ...(smoke !== undefined && { smoking: smoke ? 'current' : 'never' }),
    ...(drink !== undefined && { alcohol: drink ? 'occasional' : 'none' }),
    ...(biopsed !== undefined && { priorBiopsy: biopsed }),
  };
}
