import { z } from 'zod';
import { LocationPrimary, LocationSecondary, LocationSide } from '../vocabulary/locations.ts';

export const Location = z
  .strictObject({
    primary: LocationPrimary,
    secondary: LocationSecondary.optional(),
    side: LocationSide.optional(),
    isMain: z.boolean().optional().describe('Whether this is where the problem is worst.'),
  })
  .meta({ id: 'BodyLocation', description: 'A place on the body. `secondary` must belong to `primary`.' });

export const MAX_LOCATIONS = 20;
