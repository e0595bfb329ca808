import { z } from 'zod';
import {
  AgeGroup,
  FitzpatrickSkinType,
  Gender,
  MonkSkinTone,
  PregnancyStatus,
  SexAtBirth,
  SunReaction,
} from './enums/patient.ts';

export const Patient = z
  .strictObject({
    ageYears: z
      .int()
      .min(0)
      .max(120)
      .optional()
      .describe('Age in completed years; 0 until the first birthday. This or `ageGroup` is required.'),
    ageGroup: AgeGroup.optional(),
    gender: Gender,
    sexAtBirth: SexAtBirth.optional(),
    fitzpatrickSkinType: FitzpatrickSkinType.optional(),
    sunReaction: SunReaction.optional(),
    monkSkinTone: MonkSkinTone.optional(),
    pregnancyStatus: PregnancyStatus.optional(),
  })
  .meta({ id: 'Patient', description: 'Who has the skin problem.' });
