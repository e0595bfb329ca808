import type { PartialAnamnesis } from './anamnesis.schemas.ts';
import { possibleAges } from './age.ts';
import type { Size } from './vocabulary/lesion-appearance.ts';
import { secondaryByPrimary } from './vocabulary/locations.ts';

export interface CrossFieldError {
  path: (string | number)[];
  message: string;
}

export interface CrossFieldOptions {
  /** Hosts whose https URLs an anamnesis may name. */
  imageUrlHosts: readonly string[];
}

type Check = (anamnesis: PartialAnamnesis, options: CrossFieldOptions) => CrossFieldError[];

/** Fields that contradict each other. A check that lacks one of its fields finds nothing. */
export function findContradictions(
  anamnesis: PartialAnamnesis,
  options: CrossFieldOptions,
): CrossFieldError[] {
  return checks.flatMap((check) => check(anamnesis, options));
}

const pregnancyFitsSexAndAge: Check = ({ patient = {} }) => {
  if (patient.pregnancyStatus !== 'pregnant') return [];
  const ages = possibleAges(patient);
  const sex = patient.sexAtBirth ?? patient.gender;
  const ageFits = ages === undefined || (ages.min <= 60 && ages.max >= 10);
  if (sex !== 'male' && ageFits) return [];
  return [
    {
      path: ['patient', 'pregnancyStatus'],
      message: 'Can be `pregnant` only from 10 to 60 years of age and when the sex is not male.',
    },
  ];
};

const weeksNeedPregnancy: Check = ({ patient: { pregnancyStatus, pregnancyWeeks } = {} }) => {
  if (pregnancyWeeks === undefined || pregnancyStatus === undefined) return [];
  if (pregnancyStatus === 'pregnant') return [];
  return [{ path: ['patient', 'pregnancyWeeks'], message: 'Only for `pregnancyStatus` `pregnant`.' }];
};

const monthsAgreeWithYears: Check = ({ patient: { ageYears, ageMonths } = {} }) => {
  if (ageYears === undefined || ageMonths === undefined) return [];
  if (Math.floor(ageMonths / 12) === ageYears) return [];
  return [{ path: ['patient', 'ageMonths'], message: 'Must agree with `ageYears`.' }];
};

const secondaryBelongsToPrimary: Check = ({ locations = [] }) =>
  locations.flatMap(({ primary, secondary }, index) => {
    if (primary === undefined || secondary === undefined) return [];
    const places: readonly string[] = secondaryByPrimary[primary];
    if (places.includes(secondary)) return [];
    const message = `Must belong to \`primary\`, which has: ${places.join(', ')}.`;
    return [{ path: ['locations', index, 'secondary'], message }];
  });

/**
 * Millimetres from, and up to but not including. A size ends where the next begins, so 6.5 is from 2 to 6. The names of
 * the last two overlap from 50 to 51, where both are accepted.
 */
const sizeRanges: Readonly<Record<Exclude<Size, 'not_sure'>, readonly [from: number, below: number]>> = {
  under_2_mm: [0, 2],
  from_2_to_6_mm: [2, 7],
  from_7_to_10_mm: [7, 11],
  from_11_to_20_mm: [11, 21],
  from_21_to_50_mm: [21, 51],
  over_50_mm: [50, Number.POSITIVE_INFINITY],
};

const millimetresFallInSize: Check = ({ lesion: { size, sizeMm } = {} }) => {
  if (size === undefined || size === 'not_sure' || sizeMm === undefined) return [];
  const [from, below] = sizeRanges[size];
  if (sizeMm >= from && sizeMm < below) return [];
  return [{ path: ['lesion', 'sizeMm'], message: 'Must fall in `size`.' }];
};

const improvementAppliesToOwnMedicine: Check = ({ medications = [] }) =>
  medications.flatMap(({ purpose, improvement }, index) =>
    purpose === 'this_skin_problem' && improvement === 'not_applicable'
      ? [
          {
            path: ['medications', index, 'improvement'],
            message: 'Cannot be `not_applicable` for a medicine taken for this skin problem.',
          },
        ]
      : [],
  );

const imageShowsKnownLocation: Check = ({ images = [], locations }) =>
  images.flatMap(({ locationIndex }, index) =>
    locations !== undefined && locationIndex !== undefined && locationIndex >= locations.length
      ? [
          {
            path: ['images', index, 'locationIndex'],
            message: 'Must be smaller than the number of `locations`.',
          },
        ]
      : [],
  );

const imageUrlIsAccepted: Check = ({ images = [] }, { imageUrlHosts }) =>
  images.flatMap(({ url }, index) =>
    url === undefined || isOwnImagePath(url) || isAcceptedAddress(url, imageUrlHosts)
      ? []
      : [
          {
            path: ['images', index, 'url'],
            message:
              'Must be the path of an image stored here, /api/common/images/<uuid>, or an https URL on a host that the service accepts.',
          },
        ],
  );

const checks = [
  pregnancyFitsSexAndAge,
  weeksNeedPregnancy,
  monthsAgreeWithYears,
  secondaryBelongsToPrimary,
  millimetresFallInSize,
  improvementAppliesToOwnMedicine,
  imageShowsKnownLocation,
  imageUrlIsAccepted,
];

const ownImagePath = /^\/api\/common\/images\/[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

function isOwnImagePath(url: string): boolean {
  return ownImagePath.test(url);
}

/**
 * The URL parser tolerates spaces, line breaks and backslashes, and repairs a host (`%61`, full-width letters, more
 * slashes, a default port). Later readers of the stored URL may find another host in it, so the text itself must name
 * the host that the parser finds, and nothing else.
 */
const plainHttps = /^https:\/\/([^\s\\\p{Cc}/?#]+)(?:[/?#][^\s\\\p{Cc}]*)?$/iu;

function isAcceptedAddress(url: string, hosts: readonly string[]): boolean {
  const written = plainHttps.exec(url)?.[1] ?? '';
  // ASCII is required before lower-casing, which turns the Kelvin sign into "k", as the parser does.
  if (!/^[\x21-\x7e]+$/.test(written) || !URL.canParse(url)) return false;
  const { hostname } = new URL(url);
  return hostname === written.toLowerCase() && hosts.includes(hostname);
}
