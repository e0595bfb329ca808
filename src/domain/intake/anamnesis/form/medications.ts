import { z } from 'zod';
import {
  MedicationClass,
  MedicationDuration,
  MedicationImprovement,
  MedicationPurpose,
  MedicationRoute,
  MedicationStart,
} from '../vocabulary/medications.ts';
import { text } from './fields.ts';

export const Medication = z
  .strictObject({
    name: text(120).min(1).describe('Name of the medicine or cream.'),
    drugClass: MedicationClass.optional(),
    route: MedicationRoute.optional(),
    purpose: MedicationPurpose.optional(),
    duration: MedicationDuration,
    improvement: MedicationImprovement,
    startedRelative: MedicationStart.optional(),
    stillTaking: z.boolean().optional().describe('Whether the patient still takes it.'),
  })
  .meta({ id: 'Medication', description: 'A medicine or cream used in the past 8 weeks.' });

export const MAX_MEDICATIONS = 30;
