import { z } from 'zod';

/** The version of a record that a writer has read. The next one must fit PostgreSQL's `integer` as well. */
export const RecordVersion = z.int().min(1).max(2_147_483_646);
