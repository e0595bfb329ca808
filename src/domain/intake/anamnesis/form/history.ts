import { z } from 'zod';
import {
  AlcoholUse,
  AllergyType,
  FamilyHistory,
  ImmuneStatus,
  MedicalCondition,
  PastSkinCondition,
  RecentInfection,
  SkinCancerHistory,
  SmokingStatus,
  VaccinationStatus,
} from '../vocabulary/history.ts';
import { manyOf, text } from './fields.ts';

export const History = z
  .strictObject({
    skinConditions: manyOf(PastSkinCondition).optional(),
    medicalConditions: manyOf(MedicalCondition).optional(),
    immuneStatus: ImmuneStatus.optional(),
    allergies: manyOf(AllergyType).optional(),
    allergyDetails: text(300).optional().describe('Which allergies, in the patient’s own words.'),
    familyHistory: manyOf(FamilyHistory).optional(),
    skinCancerHistory: SkinCancerHistory.optional(),
    cancerHistory: z.boolean().optional().describe('Whether the patient has had cancer of any kind.'),
    smoking: SmokingStatus.optional(),
    alcohol: AlcoholUse.optional(),
    recentInfection: RecentInfection.optional(),
    measlesVaccination: VaccinationStatus.optional(),
    priorBiopsy: z.boolean().optional().describe('Whether a biopsy of this skin problem was taken.'),
  })
  .meta({ id: 'History', description: 'Past and other illnesses.' });
