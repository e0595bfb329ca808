import { z } from 'zod';
import type { ProblemCode } from '../../../contract/problem.ts';

/**
 * The reply to a bulk request: each item succeeds or fails alone.
 * @param codes with which one fails.
 */
export const bulkResult = <const Code extends ProblemCode>(
  codes: readonly [Code, ...Code[]],
  meta: { id: string; description: string },
) =>
  z
    .object({
      results: z
        .array(
          z
            .object({
              case_uuid: z.uuid().meta({ description: 'As it was asked for.' }),
              ok: z.boolean().meta({ description: 'Whether it was done.' }),
              version: z.int().optional().meta({ description: 'Of the case after it.' }),
              code: z
                .enum(codes)
                .meta({ id: `${meta.id}Code`, description: 'Why it was not done.' })
                .optional(),
              detail: z.string().optional().meta({ description: 'The code in words, for developers.' }),
            })
            .meta({ id: `${meta.id}Item`, description: 'What became of one case.' }),
        )
        .meta({ description: 'In the order of the request.' }),
    })
    .meta(meta);

export interface BulkItem<Code extends ProblemCode> {
  case_uuid: string;
  ok: boolean;
  version?: number | undefined;
  code?: Code | undefined;
  detail?: string | undefined;
}
