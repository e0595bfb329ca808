import { z } from 'zod';
import {
  AgeGroup,
  BabyMobility,
  FitzpatrickSkinType,
  Gender,
  MonkSkinTone,
  PregnancyStatus,
  SexAtBirth,
  SunReaction,
} from '../vocabulary/patient.ts';

export const Patient = z
  .strictObject({
    ageYears: z
      .int()
      .min(0)
      .max(120)
      .optional()
      .describe('Age in completed years; 0 until the first birthday. This or `ageGroup` is required.'),
    ageMonths: z
      .int()
      .min(0)
      .max(23)
      .optional()
      .describe('Age of a baby in completed months. It must agree with `ageYears`.'),
    ageGroup: AgeGroup.optional(),
    gender: Gender,
    sexAtBirth: SexAtBirth.optional(),
    fitzpatrickSkinType: FitzpatrickSkinType.optional(),
    sunReaction: SunReaction.optional(),
    monkSkinTone: MonkSkinTone.optional(),
    pregnancyStatus: PregnancyStatus.optional(),
    pregnancyWeeks: z
      .int()
      .min(1)
      .max(44)
      .optional()
      .describe('Completed weeks of the pregnancy; only with `pregnancyStatus` `pregnant`.'),
    babyMobility: BabyMobility.optional(),
  })
  .meta({ id: 'Patient', description: 'The person with the skin problem.' });
