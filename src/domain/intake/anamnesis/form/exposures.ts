import { z } from 'zod';
import {
  ContactsAffected,
  Exposure,
  OccupationRisk,
  SunExposure,
  TravelRegion,
} from '../vocabulary/exposures.ts';
import { manyOf } from './fields.ts';

export const Exposures = z
  .strictObject({
    recent: manyOf(Exposure).optional(),
    contactsAffected: ContactsAffected.optional(),
    travelRegion: TravelRegion.optional(),
    sunExposure: SunExposure.optional(),
    occupation: OccupationRisk.optional(),
  })
  .meta({ id: 'Exposures', description: 'What the skin came into contact with.' });
