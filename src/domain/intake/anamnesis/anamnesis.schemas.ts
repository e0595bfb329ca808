import { z } from 'zod';
import { Complaint } from './form/complaint.ts';
import { Language } from '../../../contract/language.ts';
import { Reporter } from './vocabulary/patient.ts';
import { Exposures } from './form/exposures.ts';
import { History } from './form/history.ts';
import { ImageReference, MAX_IMAGES } from './form/images.ts';
import { Lesion } from './form/lesion.ts';
import { Location, MAX_LOCATIONS } from './form/locations.ts';
import { MAX_MEDICATIONS, Medication } from './form/medications.ts';
import { Patient } from './form/patient.ts';
import { Symptoms } from './form/symptoms.ts';

const CROSS_FIELD_RULES = `Unknown fields are refused; leave out what is not known. Rules beyond the schema:

- \`patient.ageYears\` or \`patient.ageGroup\` is required.
- \`patient.pregnancyStatus\` is \`pregnant\` only at 10 to 60 years of age and when the sex is not male (\`sexAtBirth\`, or else \`gender\`).
- \`patient.pregnancyWeeks\` is allowed only with \`pregnancyStatus\` \`pregnant\`.
- \`patient.ageMonths\` agrees with \`patient.ageYears\`: 14 months are 1 year.
- \`locations[].secondary\` belongs to its \`primary\`.
- \`lesion.sizeMm\` falls in \`lesion.size\`: 6.5 is \`from_2_to_6_mm\`, because the next size starts at 7.
- \`none\` must be the only value of its list.
- \`medications[].improvement\` is not \`not_applicable\` when \`purpose\` is \`this_skin_problem\`.
- \`images[].locationIndex\` is smaller than the number of \`locations\`.
- \`images[].url\` is \`/api/common/images/<uuid>\`, or https on a host that the service accepts.`;

const sections = {
  locations: 'Places of the skin problem.',
  medications: 'Medicines and creams used in the past 8 weeks; empty for none.',
  images: 'Photos that belong to the answers, in addition to the one sent for diagnosis.',
};

/**
 * The shape of a complete anamnesis: 102 fields in 12 sections. `parseAnamnesis` also checks fields against each
 * other, which this schema only describes.
 */
export const Anamnesis = z
  .strictObject({
    schemaVersion: z.literal('1').default('1').describe('Version of this schema.'),
    // Absent, it is the language of the request: `parseAnamnesis` fills it in, so no default is published.
    language: Language.default('en').meta({ default: undefined }),
    reporter: Reporter.optional(),
    patient: Patient,
    complaint: Complaint,
    locations: z.array(Location).min(1).max(MAX_LOCATIONS).describe(sections.locations),
    lesion: Lesion.optional(),
    symptoms: Symptoms,
    history: History.optional(),
    exposures: Exposures.optional(),
    medications: z.array(Medication).max(MAX_MEDICATIONS).optional().describe(sections.medications),
    images: z.array(ImageReference).max(MAX_IMAGES).optional().describe(sections.images),
  })
  .meta({ id: 'Anamnesis', description: `A complete questionnaire.\n\n${CROSS_FIELD_RULES}` });
export type Anamnesis = z.infer<typeof Anamnesis>;

const unfinished = (section: string) => ({
  id: `Partial${section}`,
  description: `\`${section}\` while it is being filled in: nothing is required.`,
});

/** An anamnesis while it is being filled in: nothing is required, at any level; all else holds. */
export const PartialAnamnesis = z
  .strictObject({
    schemaVersion: z.literal('1').optional().describe('Version of this schema.'),
    language: Language.optional(),
    reporter: Reporter.optional(),
    patient: Patient.partial().meta(unfinished('Patient')).optional(),
    complaint: Complaint.partial().meta(unfinished('Complaint')).optional(),
    locations: z
      .array(Location.partial().meta(unfinished('BodyLocation')))
      .max(MAX_LOCATIONS)
      .optional()
      .describe(sections.locations),
    lesion: Lesion.optional(),
    symptoms: Symptoms.partial().meta(unfinished('Symptoms')).optional(),
    history: History.optional(),
    exposures: Exposures.optional(),
    medications: z
      .array(Medication.partial().meta(unfinished('Medication')))
      .max(MAX_MEDICATIONS)
      .optional()
      .describe(sections.medications),
    images: z
      .array(ImageReference.partial().meta(unfinished('ImageReference')))
      .max(MAX_IMAGES)
      .optional()
      .describe(sections.images),
  })
  .meta({
    id: 'PartialAnamnesis',
    description: `The answers collected so far; nothing is required.\n\n${CROSS_FIELD_RULES}`,
  });
export type PartialAnamnesis = z.infer<typeof PartialAnamnesis>;
