import type { PartialAnamnesis } from '../../anamnesis/anamnesis.schemas.ts';
import type {
  MedicationClass,
  MedicationDuration,
  MedicationStart,
} from '../../anamnesis/vocabulary/medications.ts';
import { has } from '../conditions.ts';
import {
  all,
  type Condition,
  met,
  not,
  onlyIfShown,
  open,
  some,
  type Truth,
  unmet,
} from '../answer-logic.ts';

type Medicine = NonNullable<PartialAnamnesis['medications']>[number];

/** Classes behind most severe reactions of the skin (BAD SJS/TEN 2016; RegiSCAR). */
const culprits: ReadonlySet<MedicationClass> = new Set([
  'antibiotic',
  'anticonvulsant',
  'nsaid',
  'allopurinol',
  'antifungal',
  'antiviral',
]);

/** A sulfate is a salt, such as that of iron, and no sulfonamide. */
const sulfonamide =
  /sulfa(?!t(?:e[ds]?|os?|s)?\b)|co-?trimox|bactrim|septrin|\bseptra\b|eusaprim|resprim|salazop[iy]r/i;

/**
 * Generic names, also in Spanish, and common brands, so that a medicine without a class is still recognised. Endings
 * are those of the WHO's international nonproprietary names. The first that fits counts: names in `mycin` that are no
 * antibiotics come before those that are.
 */
const names: readonly (readonly [MedicationClass, RegExp])[] = [
  ['retinoid', /isotretino|acitretin|alitretino|roaccutane|roacutan|accutane|neotigason|toctino/i],
  [
    'anticonvulsant',
    /carbamaz|oxcarbaz|eslicarbaz|lamotrig|phenyto|fenito|(?:ph|f)enobarb|valpro|zonisam|cenobamat|lamictal|tegretol|timonil|\bteril\b|trileptal|dilantin|epanutin|depak|depalept|epilim|zonegran/i,
  ],
  ['chemotherapy', /(?:bleo|mito|dactino)m[iy]cin/i],
  ['immunosuppressant', /rapam[iy]cin/i],
  ['allopurinol', /all?opurinol|zyloric|zyloprim|alloril/i],
  ['antibiotic', sulfonamide],
  [
    'antibiotic',
    /cill?in|cycline\b|ciclina\b|m[iy]cina?\b|floxacin|\bcef(?!alea)|\bceph|nitrofurant|dapson|augmentin/i,
  ],
  ['nsaid', /ibuprofen|naproxen|diclofenac|\w+oxicam|etoricoxib|celecoxib|aspirin/i],
  ['ace_inhibitor', /\b(?!april\b)\w+pril\b/i],
  [
    'chemotherapy',
    /chemo|quimio|platino?\b|taxel\b|rubicina?\b|fluorouracil|capecitabin|gemcitabin|cyclophospham|ciclofosfam/i,
  ],
  [
    'immunosuppressant',
    /meth?otrexat|azath?ioprin|[ck]iclosporin|cyclosporin|tacrolimus|mycophenol|micofenol|sirolimus|leflunomid|\w+citinib\b/i,
  ],
  ['biologic', /\w{3,}mab\b|etanercept|abatacept|humira|enbrel/i],
  ['oral_steroid', /predniso|dexameth?ason|methylpred|metilpred/i],
];

/** The class that was chosen, or else those of each medicine that the entry names. None where nothing is known. */
export function classesOf({ drugClass, name = '' }: Medicine): readonly MedicationClass[] {
  if (drugClass !== undefined && drugClass !== 'unknown' && drugClass !== 'other') return [drugClass];
  const named = name
    .split(severalNames)
    .flatMap((one) => names.find(([, known]) => known.test(one))?.[0] ?? []);
  return named.length === 0 && drugClass !== undefined ? [drugClass] : named;
}

const isUnknown = (classes: readonly MedicationClass[]): boolean =>
  classes.length === 0 || classes.includes('unknown');

/** Applied to the skin: too little reaches the blood to matter here. */
function isTopical({ route, drugClass }: Medicine): boolean {
  return route === 'topical' || drugClass === 'moisturizer' || drugClass === 'topical_steroid';
}

/** A cream or an eye drop, in the four languages. */
const localForm =
  /\bcreams?\b|\bcremas?\b|\bointments?\b|\bpomadas?\b|\bung[uü]ento|\blotions?\b|\bloci[oó]n|\beye ?drops?\b|\bcolirio|קרם|משחה|טיפות עיניים|كريم|مرهم|قطرة عين|قطرات العين/i;

/** An entry may name two medicines, or a dose to swallow: a cream beside a tablet excludes nothing about the tablet. */
const severalNames =
  /[,.](?!\d)|[;+&\n]|\/(?!(?:g|ml)\b)|mg\b(?!\/)|(?<!\p{L})(?:and|or|with|plus|y|e|o|u|con|más)(?!\p{L})|(?<!\p{L})[\u05D5\u0648]/iu;

/** The name counts where no route is known; one that names no form excludes nothing. */
function isLocal(
  { route, name = '' }: Pick<Medicine, 'route' | 'name'>,
  routes: readonly unknown[],
): boolean {
  if (route !== undefined && route !== 'other') return routes.includes(route);
  return localForm.test(name) && !severalNames.test(name);
}

/** Met when one medicine meets it; open when none does and one is open, or medicines were not asked for. */
const anyMedicine =
  (truthOf: (medicine: Medicine) => Truth): Condition =>
  ({ medications }) => {
    if (medications === undefined) return open('medications');
    const truths = medications.map(truthOf);
    return (
      truths.find(({ value }) => value === true) ?? truths.find(({ value }) => value === undefined) ?? unmet
    );
  };

const longUse: readonly unknown[] = ['two_to_six_months', 'more_than_six_months'];

/**
 * "After the problem had started" may mean the acne or the infection that the medicine is for, or the first fever and sore throat of
 * the reaction itself: a culprit that has been used for days to weeks counts from its own start (RegiSCAR: 4 to 28 days; DRESS 2 to
 * 8 weeks). A painkiller of a few days is more often taken for the fever of a rash than its cause.
 */
function isNewDespiteOrder(medicine: Medicine, uses: readonly MedicationDuration[]): boolean {
  const { duration = 'unknown' } = medicine;
  const classes = classesOf(medicine).filter((each) => culprits.has(each));
  const isBrief = duration === 'single_dose' || duration === 'less_than_one_week';
  return uses.includes(duration) && classes.some((each) => each !== 'nsaid' || !isBrief);
}

const weeksOfUse: readonly MedicationDuration[] = ['one_to_two_weeks', 'two_to_eight_weeks'];

const startedIn = (uses: readonly MedicationDuration[], ...times: readonly MedicationStart[]): Condition =>
  anyMedicine((medicine) => {
    const { startedRelative, duration, purpose } = medicine;
    if (isTopical(medicine)) return unmet;
    if (startedRelative === 'after_problem_started' || purpose === 'this_skin_problem')
      return isNewDespiteOrder(medicine, uses) ? met : unmet;
    if (startedRelative !== undefined && startedRelative !== 'unknown')
      return times.includes(startedRelative) ? met : unmet;
    if (longUse.includes(duration)) return unmet;
    if (classesOf(medicine).some((each) => culprits.has(each))) return met;
    return open('medications[].startedRelative');
  });

/** Started in the 8 weeks before the problem, or of a culprit class and not known to be older. */
export const newMedicine: Condition = some(
  onlyIfShown(has('complaint.triggers', 'medication')),
  startedIn(
    ['less_than_one_week', ...weeksOfUse],
    'before_problem_under_72_hours',
    'before_problem_3_to_28_days',
    'before_problem_4_to_8_weeks',
  ),
);

/** Classes after which any new rash may begin a severe reaction, so that the next dose waits for a doctor. */
const dangerous: ReadonlySet<MedicationClass> = new Set(['anticonvulsant', 'allopurinol']);

/**
 * Of these classes, and started in the 8 weeks before the problem. Open where such a medicine has neither a class nor a
 * known name: patients name brands, and a name that is not in our list excludes nothing.
 */
export const newDangerousMedicine: Condition = anyMedicine((medicine) => {
  const { startedRelative = 'unknown', duration, name = '' } = medicine;
  const isStartKnown = startedRelative !== 'unknown';
  const isNew = isStartKnown
    ? startedRelative.startsWith('before_problem') ||
      (startedRelative === 'after_problem_started' &&
        [...weeksOfUse, 'less_than_one_week'].includes(duration ?? ''))
    : !longUse.includes(duration);
  if (isTopical(medicine) || !isNew) return unmet;
  const classes = classesOf(medicine);
  const openStart = isStartKnown ? [] : (['medications[].startedRelative'] as const);
  if (classes.some((each) => dangerous.has(each)) || sulfonamide.test(name))
    return isStartKnown ? met : open(...openStart);
  return isUnknown(classes) ? open(...openStart, 'medications[].name', 'medications[].drugClass') : unmet;
});

/** Used for more than three days: DRESS does not begin earlier. */
export const medicineForDaysOrWeeks: Condition = startedIn(
  weeksOfUse,
  'before_problem_3_to_28_days',
  'before_problem_4_to_8_weeks',
);

/**
 * A medicine of one of these classes is used that is not for the skin or the eyes alone; open where one has neither a class
 * nor a known name.
 */
const ofClass = (...classes: readonly MedicationClass[]): Condition =>
  anyMedicine((medicine) => {
    if (isLocal(medicine, ['topical', 'eye_drops'])) return unmet;
    const found = classesOf(medicine);
    if (isUnknown(found)) return open('medications[].name', 'medications[].drugClass');
    return found.some((each) => classes.includes(each)) ? met : unmet;
  });

/** Retinoids harm the unborn child when swallowed (MHRA). */
export const oralRetinoid: Condition = anyMedicine((medicine) => {
  if (medicine.route === 'topical') return unmet;
  const classes = classesOf(medicine);
  if (classes.includes('retinoid')) return met;
  return isUnknown(classes) ? open('medications[].drugClass') : unmet;
});

export const aceInhibitor: Condition = ofClass('ace_inhibitor');

export const onChemotherapy: Condition = some(
  has('history.immuneStatus', 'chemotherapy'),
  ofClass('chemotherapy'),
);

const longSteroids = anyMedicine((medicine) => {
  if (!classesOf(medicine).includes('oral_steroid')) return unmet;
  // Who chooses this class states that it is swallowed, whatever form the name has.
  const { route, name, drugClass } = medicine;
  const form = drugClass === 'oral_steroid' ? { route } : { route, name };
  if (isLocal(form, ['topical', 'eye_drops', 'nasal', 'inhaled'])) return unmet;
  const isShort = ['single_dose', 'less_than_one_week', 'one_to_two_weeks'].includes(
    medicine.duration ?? 'unknown',
  );
  return isShort ? unmet : met;
});

export const hiv: Condition = has('history.medicalConditions', 'hiv');

/** By illness or treatment, in any of the answers that name one. */
export const immunosuppressed: Condition = some(
  has(
    'history.immuneStatus',
    'immunosuppressive_medication',
    'transplant',
    'chemotherapy',
    'hiv_uncontrolled',
    'asplenia',
  ),
  onlyIfShown(ofClass('immunosuppressant', 'biologic', 'chemotherapy')),
  onlyIfShown(longSteroids),
  // Treated HIV with good counts weakens no defence against most infections (Green Book, chapter 6).
  onlyIfShown(all(hiv, not(onlyIfShown(has('history.immuneStatus', 'normal'))))),
);

/** The same, and HIV of any stage: for what may be its first sign. Asked for also after "my defence is normal". */
export const weakDefence: Condition = some(immunosuppressed, hiv);
