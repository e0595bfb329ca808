// Short words for the answers that the cases of the red-flag rules are made of.
import type { PartialAnamnesis } from '../../../../src/domain/intake/anamnesis/anamnesis.schemas.ts';

type Lesion = NonNullable<PartialAnamnesis['lesion']>;
type Symptoms = NonNullable<PartialAnamnesis['symptoms']>;
type Complaint = NonNullable<PartialAnamnesis['complaint']>;
type Location = NonNullable<PartialAnamnesis['locations']>[number];
type Started = NonNullable<NonNullable<PartialAnamnesis['medications']>[number]['startedRelative']>;

export const at = (...places: NonNullable<Location['secondary']>[]): PartialAnamnesis => ({
  locations: places.map((secondary) => ({ secondary })),
});
export const started = (startedRelative: Started): PartialAnamnesis => ({
  medications: [{ startedRelative }],
});

/** Anamneses joined section by section. */
export function all(...parts: PartialAnamnesis[]): PartialAnamnesis {
  const sections = parts.flatMap((part) => Object.entries(part));
  const joined: Record<string, object> = {};
  for (const [name, section] of sections) {
    joined[name] = Array.isArray(section) ? section : { ...joined[name], ...Object(section) };
  }
  return joined;
}

export const fever: PartialAnamnesis = { symptoms: { systemic: ['fever'] } };
export const measured = (temperatureC: number): PartialAnamnesis => ({ symptoms: { temperatureC } });
export const types = (...lesionTypes: NonNullable<Lesion['lesionTypes']>): PartialAnamnesis => ({
  lesion: { lesionTypes },
});
export const surface = (...surfaceChanges: NonNullable<Lesion['surfaceChanges']>): PartialAnamnesis => ({
  lesion: { surfaceChanges },
});
export const swollen = (...swellingSites: NonNullable<Lesion['swellingSites']>): PartialAnamnesis => ({
  lesion: { swellingSites },
});
export const sores = (...mucosalSites: NonNullable<Lesion['mucosalSites']>): PartialAnamnesis => ({
  lesion: { mucosalSites },
});
export const eyes = (...eyeSymptoms: NonNullable<Lesion['eyeSymptoms']>): PartialAnamnesis => ({
  lesion: { eyeSymptoms },
});
export const changed = (...changes: NonNullable<Lesion['changes']>): PartialAnamnesis => ({
  lesion: { changes },
});
export const colored = (...colors: NonNullable<Lesion['colors']>): PartialAnamnesis => ({
  lesion: { colors },
});
export const lesion = (lesion: Lesion): PartialAnamnesis => ({ lesion });
export const feels = (...local: NonNullable<Symptoms['local']>): PartialAnamnesis => ({
  symptoms: { local },
});
export const ill = (...systemic: NonNullable<Symptoms['systemic']>): PartialAnamnesis => ({
  symptoms: { systemic },
});
export const screen = (...emergency: NonNullable<Symptoms['emergency']>): PartialAnamnesis => ({
  symptoms: { emergency },
});
export const symptoms = (symptoms: Symptoms): PartialAnamnesis => ({ symptoms });
export const since = (duration: NonNullable<Complaint['duration']>): PartialAnamnesis => ({
  complaint: { duration },
});
export const category = (category: NonNullable<Complaint['category']>): PartialAnamnesis => ({
  complaint: { category },
});
export const complaint = (complaint: Complaint): PartialAnamnesis => ({ complaint });
export const aged = (ageYears: number): PartialAnamnesis => ({ patient: { ageYears } });
export const band = (
  ageGroup: NonNullable<NonNullable<PartialAnamnesis['patient']>['ageGroup']>,
): PartialAnamnesis => ({ patient: { ageGroup } });
export const immune = (
  immuneStatus: NonNullable<NonNullable<PartialAnamnesis['history']>['immuneStatus']>,
): PartialAnamnesis => ({ history: { immuneStatus } });

export const nonBlanching = lesion({ blanching: 'non_blanching' });
export const outOfProportion = symptoms({ painCharacter: 'out_of_proportion' });
export const spreading = complaint({ progression: 'spreading_within_hours' });
export const dermatomal = lesion({ arrangement: 'dermatomal' });
export const eczema: PartialAnamnesis = { history: { skinConditions: ['eczema'] } };
export const pregnant: PartialAnamnesis = { patient: { pregnancyStatus: 'pregnant' } };
export const mole = category('growth_or_mole');
export const takes = (...medications: NonNullable<PartialAnamnesis['medications']>): PartialAnamnesis => ({
  medications,
});
