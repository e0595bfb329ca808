import { z } from 'zod';
import {
  EmergencySymptom,
  LocalSymptom,
  PainCharacter,
  SleepDisturbance,
  SymptomTiming,
  SystemicSymptom,
} from '../vocabulary/symptoms.ts';
import { manyOf } from './fields.ts';

/** Numeric rating scale: 0 none, 10 the worst imaginable. */
const severity = z.int().min(0).max(10);

export const Symptoms = z
  .strictObject({
    emergency: manyOf(EmergencySymptom),
    local: manyOf(LocalSymptom),
    itchSeverity: severity.optional().describe('Itch from 0 (none) to 10 (the worst imaginable).'),
    painSeverity: severity.optional().describe('Pain from 0 (none) to 10 (the worst imaginable).'),
    painCharacter: PainCharacter.optional(),
    timing: SymptomTiming.optional(),
    sleepDisturbance: SleepDisturbance.optional(),
    systemic: manyOf(SystemicSymptom),
    temperatureC: z.number().min(34).max(43).optional().describe('Body temperature in °C.'),
  })
  .meta({ id: 'Symptoms', description: 'What the patient feels.' });
