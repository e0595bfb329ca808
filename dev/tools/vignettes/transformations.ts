// Another honest way to answer for the same patient. Knows the questionnaire and no rule.
import { possibleAges } from '../../../src/domain/intake/anamnesis/age.ts';
import type { PartialAnamnesis } from '../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';
import { Duration } from '../../../src/domain/intake/anamnesis/vocabulary/complaint.ts';

export interface Transformation {
  name: string;
  /** The field whose answer it takes away; a vignette may depend on that answer alone (`mayDependOn`). */
  hides?: string;
  /** Undefined where it changes nothing or the patient could not say so. */
  apply: (anamnesis: PartialAnamnesis) => PartialAnamnesis | undefined;
}

type Section<Name extends keyof PartialAnamnesis> = NonNullable<PartialAnamnesis[Name]>;
type LesionTypes = NonNullable<Section<'lesion'>['lesionTypes']>;
type Colors = NonNullable<Section<'lesion'>['colors']>;

const complaint = (anamnesis: PartialAnamnesis, changes: Section<'complaint'>): PartialAnamnesis => ({
  ...anamnesis,
  complaint: { ...anamnesis.complaint, ...changes },
});
const lesion = (anamnesis: PartialAnamnesis, changes: Section<'lesion'>): PartialAnamnesis => ({
  ...anamnesis,
  lesion: { ...anamnesis.lesion, ...changes },
});

const youngest = ({ patient }: PartialAnamnesis) => possibleAges(patient)?.min ?? 0;

const acute: readonly unknown[] = ['one_day', 'less_than_one_week', 'one_to_four_weeks'];

/** The age of the disease in place of that of its new turn. */
const oldDisease =
  (changes: Section<'complaint'>): Transformation['apply'] =>
  (anamnesis) => {
    if (!acute.includes(anamnesis.complaint?.duration) || youngest(anamnesis) < 6) return undefined;
    return complaint(anamnesis, { duration: 'more_than_five_years', ...changes });
  };

const steps = Duration.options.filter((step) => step !== 'unknown' && step !== 'since_childhood');

const longer: Transformation['apply'] = (anamnesis) => {
  const { duration } = anamnesis.complaint ?? {};
  const index = steps.findIndex((step) => step === duration);
  const next = index === -1 ? undefined : steps[index + 1];
  // A step is a slip of memory up to three months; later it is another disease.
  return next === undefined || index > 2 ? undefined : complaint(anamnesis, { duration: next });
};

const category =
  (name: NonNullable<Section<'complaint'>['category']>): Transformation['apply'] =>
  (anamnesis) => {
    const now = anamnesis.complaint?.category;
    const isSkin = now !== undefined && !['nail_problem', 'hair_loss', 'other_hair_problem'].includes(now);
    return !isSkin || now === name ? undefined : complaint(anamnesis, { category: name });
  };

const redAs =
  (other: Colors[number] | undefined): Transformation['apply'] =>
  (anamnesis) => {
    const { colors = [], ...rest } = anamnesis.lesion ?? {};
    if (!colors.includes('red')) return undefined;
    const others = colors.filter((color) => color !== 'red' && color !== other);
    const named = other === undefined ? others : [...others, other];
    return { ...anamnesis, lesion: named.length === 0 ? rest : { ...rest, colors: named } };
  };

const unsureOf =
  (field: 'colors' | 'lesionTypes' | 'swellingSites'): Transformation['apply'] =>
  (anamnesis) =>
    anamnesis.lesion?.[field] === undefined ? undefined : lesion(anamnesis, { [field]: ['not_sure'] });

const also =
  (type: LesionTypes[number]): Transformation['apply'] =>
  (anamnesis) => {
    const types = anamnesis.lesion?.lesionTypes;
    const hasSpots = types !== undefined && !types.includes(type) && !types.includes('no_visible_lesion');
    return hasSpots ? lesion(anamnesis, { lesionTypes: [...types, type] }) : undefined;
  };

const scaly: Transformation['apply'] = (anamnesis) => {
  const { surfaceChanges: now = [] } = anamnesis.lesion ?? {};
  if (now.includes('scaly')) return undefined;
  return lesion(anamnesis, { surfaceChanges: [...now.filter((it) => it !== 'none'), 'scaly'] });
};

/** "One" instead of no number, of what is in one place and not measured as wide. */
const single: Transformation['apply'] = (anamnesis) => {
  const { count, extent, distribution } = anamnesis.lesion ?? {};
  const { locations = [] } = anamnesis;
  const isOnePlace = locations.length === 1 && locations[0]?.primary !== 'generalized';
  const isOpen = count === undefined && extent === undefined && distribution === undefined;
  return isOnePlace && isOpen ? lesion(anamnesis, { count: 'single' }) : undefined;
};

/** Old psoriasis of the elbows and of the other knee beside the new problem. */
const oldElsewhere: Transformation['apply'] = (anamnesis) => {
  const { locations = [] } = anamnesis;
  if (locations.length === 0 || locations.some(({ primary }) => primary === 'generalized')) return undefined;
  return { ...anamnesis, locations: [...locations, { primary: 'arm', secondary: 'elbow', side: 'both' }] };
};

const oldAtOtherSide: Transformation['apply'] = (anamnesis) => {
  const { locations = [] } = anamnesis;
  const leg = locations.find(
    ({ primary, side }) => primary === 'leg' && (side === 'left' || side === 'right'),
  );
  if (leg === undefined || locations.length > 1) return undefined;
  const side = leg.side === 'left' ? 'right' : 'left';
  return { ...anamnesis, locations: [...locations, { primary: 'leg', secondary: 'knee', side }] };
};

const medicineAfter: Transformation['apply'] = (anamnesis) => {
  const { medications = [] } = anamnesis;
  const isRecent = medications.some(({ startedRelative = '' }) =>
    startedRelative.startsWith('before_problem'),
  );
  if (!isRecent) return undefined;
  const after = medications.map((medicine) =>
    medicine.startedRelative?.startsWith('before_problem')
      ? {
          ...medicine,
          startedRelative: 'after_problem_started' as const,
          duration: lengthOf[medicine.startedRelative] ?? medicine.duration,
        }
      : medicine,
  );
  return { ...anamnesis, medications: after };
};

/** A medicine "after the problem", with the length of use that its real start implies. */
const lengthOf: Readonly<Record<string, NonNullable<Section<'medications'>[number]['duration']>>> = {
  before_problem_under_72_hours: 'less_than_one_week',
  before_problem_3_to_28_days: 'one_to_two_weeks',
  before_problem_4_to_8_weeks: 'two_to_eight_weeks',
};

const chillsForFever: Transformation['apply'] = (anamnesis) => {
  const { systemic = [], temperatureC, ...rest } = anamnesis.symptoms ?? {};
  // A baby does not shiver, and its fever is measured.
  if (!systemic.includes('fever') || youngest(anamnesis) < 2) return undefined;
  void temperatureC;
  const others = systemic.filter((it) => it !== 'fever' && it !== 'chills');
  return { ...anamnesis, symptoms: { ...rest, systemic: [...others, 'chills'] } };
};

const withoutExactPlace: Transformation['apply'] = (anamnesis) => {
  const { locations = [] } = anamnesis;
  if (!locations.some(({ primary, secondary }) => primary !== undefined && secondary !== undefined))
    return undefined;
  const regions = locations.map(({ secondary, ...rest }) =>
    rest.primary === undefined ? { secondary } : rest,
  );
  return { ...anamnesis, locations: regions as Section<'locations'> };
};

export const transformations: readonly Transformation[] = [
  { name: 'for years, worse by the hour', apply: oldDisease({ progression: 'spreading_within_hours' }) },
  { name: 'for years, worse fast', apply: oldDisease({ progression: 'rapidly_worsening' }) },
  {
    name: 'for years and recurrent, worse fast',
    apply: oldDisease({ progression: 'rapidly_worsening', course: 'recurrent' }),
  },
  {
    name: 'duration not sure',
    apply: (it) =>
      it.complaint?.duration === undefined ? undefined : complaint(it, { duration: 'unknown' }),
  },
  { name: 'colours not sure', hides: 'lesion.colors', apply: unsureOf('colors') },
  { name: 'kind of spot not sure', hides: 'lesion.lesionTypes', apply: unsureOf('lesionTypes') },
  { name: 'swelling not sure', hides: 'lesion.swellingSites', apply: unsureOf('swellingSites') },
  { name: 'no exact place', hides: 'locations[].secondary', apply: withoutExactPlace },
  { name: 'red as brown', apply: redAs('brown') },
  { name: 'red as grey', apply: redAs('grey') },
  { name: 'red left out', apply: redAs(undefined) },
  { name: 'called a rash', apply: category('rash') },
  { name: 'called a wound', apply: category('wound_or_bite') },
  { name: 'called a change of colour', apply: category('pigmentary_problem') },
  { name: 'called acne', apply: category('acne') },
  { name: 'called something else', apply: category('other') },
  { name: 'a little better', apply: (it) => complaint(it, { progression: 'improving' }) },
  { name: 'slowly worse', apply: (it) => complaint(it, { progression: 'slowly_worsening' }) },
  { name: 'a step longer', apply: longer },
  { name: 'a single one', apply: single },
  { name: 'small blisters, too', apply: also('vesicle') },
  { name: 'wheals, too', apply: also('wheal') },
  { name: 'scales, too', apply: scaly },
  { name: 'old psoriasis of the elbows', apply: oldElsewhere },
  { name: 'old psoriasis of the other knee', apply: oldAtOtherSide },
  { name: 'medicine after the problem', apply: medicineAfter },
  { name: 'chills for fever', apply: chillsForFever },
];
