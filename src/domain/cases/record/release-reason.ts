import { z } from 'zod';

export const ReleaseReason = z
  .enum(['not_my_field', 'too_complex', 'conflict_of_interest', 'technical', 'end_of_shift', 'other'])
  .meta({ id: 'ReleaseReason', description: 'Why a physician puts a case back.' });
export type ReleaseReason = z.infer<typeof ReleaseReason>;
