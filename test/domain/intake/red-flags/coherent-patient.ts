import { possibleAges } from '../../../../src/domain/intake/anamnesis/age.ts';
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import type { BodySurfaceExtent } from '../../../../src/domain/intake/anamnesis/vocabulary/lesion-appearance.ts';

/**
 * A patient who says the same in every way there is. Random answers deny with one what they say with another: 40 °C and
 * no fever. Without the first, the second is a plain "no" and not an open question.
 */
export function coherent(patient: PartialAnamnesis): PartialAnamnesis {
  return [
    withOneAge,
    withOneSex,
    withPossiblePregnancy,
    withFeltFever,
    withFeltPain,
    withOneExtent,
    withOneMedicineHistory,
  ].reduce((anamnesis, make) => make(anamnesis), patient);
}

function withOneAge({ patient, ...rest }: PartialAnamnesis): PartialAnamnesis {
  if (patient?.ageYears === undefined) return { ...rest, ...(patient && { patient }) };
  const { ageGroup: _band, ...others } = patient;
  return { ...rest, patient: others };
}

/** Gender `male` beside another sex at birth would, without the second, be a plain "no" to a pregnancy. */
function withOneSex({ patient, ...rest }: PartialAnamnesis): PartialAnamnesis {
  if (patient === undefined) return rest;
  const { sexAtBirth = 'male', gender } = patient;
  const isOther = gender === 'male' && sexAtBirth !== 'male';
  return { ...rest, patient: { ...patient, ...(isOther && { gender: 'other' }) } };
}

/** The gateway asks for a pregnancy from 12 to 55 years of age. */
function withPossiblePregnancy({ patient, ...rest }: PartialAnamnesis): PartialAnamnesis {
  if (patient === undefined) return rest;
  const { min, max } = possibleAges(patient) ?? { min: 12, max: 12 };
  if (max >= 12 && min <= 55) return { ...rest, patient };
  const { pregnancyWeeks: _weeks, pregnancyStatus: status, ...others } = patient;
  const isOther = status !== undefined && status !== 'pregnant';
  return { ...rest, patient: { ...others, ...(isOther && { pregnancyStatus: status }) } };
}

const fever = 38;

function withFeltFever(anamnesis: PartialAnamnesis): PartialAnamnesis {
  const { temperatureC = 37, systemic = [] } = anamnesis.symptoms ?? {};
  if (temperatureC < fever) return anamnesis;
  return { ...anamnesis, symptoms: { ...anamnesis.symptoms, systemic: including(systemic, 'fever') } };
}

function withFeltPain(anamnesis: PartialAnamnesis): PartialAnamnesis {
  const { painSeverity = 0, local = [] } = anamnesis.symptoms ?? {};
  if (painSeverity === 0) return anamnesis;
  return { ...anamnesis, symptoms: { ...anamnesis.symptoms, local: including(local, 'pain') } };
}

/** What is everywhere, in one word or another, is neither in one place nor a few spots. */
function withOneExtent(anamnesis: PartialAnamnesis): PartialAnamnesis {
  const { lesion = {}, locations = [] } = anamnesis;
  const regions = new Set(locations.map(({ primary }) => primary));
  const isWide =
    wideExtents.has(lesion.extent) ||
    lesion.distribution === 'generalized' ||
    regions.has('generalized') ||
    regions.size >= 3;
  if (!isWide) return anamnesis;
  const { extent: _share, arrangement: _order, count: _number, ...others } = lesion;
  return {
    ...anamnesis,
    locations: [...locations, { primary: 'generalized' }],
    lesion: { ...others, extent: 'from_30_to_50_percent', distribution: 'generalized' },
  };
}

const wideExtents: ReadonlySet<unknown> = new Set<BodySurfaceExtent>([
  'from_10_to_30_percent',
  'from_30_to_50_percent',
  'from_50_to_90_percent',
  'over_90_percent',
]);

/** What was started lately is not used for half a year, nor against what it came before; and a medicine blamed is named. */
function withOneMedicineHistory({ medications, ...rest }: PartialAnamnesis): PartialAnamnesis {
  if (medications === undefined) return rest;
  const blamed = rest.complaint?.triggers?.includes('medication') ? [startedLately({ name: 'Blamed' })] : [];
  const named = medications.map((medicine) =>
    medicine.startedRelative?.startsWith('before_problem') ? startedLately(medicine) : medicine,
  );
  return { ...rest, medications: [...named, ...blamed] };
}

type Medicine = NonNullable<PartialAnamnesis['medications']>[number];

const startedLately = (medicine: Medicine): Medicine => ({
  startedRelative: 'before_problem_3_to_28_days',
  ...medicine,
  duration: 'one_to_two_weeks',
  purpose: 'other_condition',
});

const including = <Value extends string>(values: readonly Value[], value: Value): Value[] => [
  ...new Set([...values.filter((it) => it !== 'none'), value]),
];
