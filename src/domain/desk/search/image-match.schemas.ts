import { z } from 'zod';
import { CaseSummary } from '../../cases/record/case-summary.schemas.ts';
import { Person } from '../../identity/patients/person.ts';
import { CaseImage } from '../../cases/record/case-image.schemas.ts';

export const ImageMatch = CaseImage.extend({
  owner: Person.nullable().meta({
    description:
      'The owner of its account, without a name while all of these cases wait; null once that is erased.',
  }),
  cases: z
    .array(CaseSummary)
    .meta({ description: 'Cases with it that the caller may see, the newest twenty at most.' }),
}).meta({
  id: 'ImageMatch',
  description: 'A stored photo with these bytes. Kind and quality are of the first case.',
});
/** As the app has it, with times as dates. */
export type ImageMatch = z.input<typeof ImageMatch>;

export const ImageMatches = z
  .object({ items: z.array(ImageMatch).meta({ description: 'The newest first; one for each owner.' }) })
  .meta({ id: 'ImageMatches', description: 'Who has sent the same photo.' });
