import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { z } from 'zod';

/** Maximum mistakes in one message; a file of another format has one in every row. */
const NAMED = 5;

/**
 * Reads a CSV file whose first line names the columns. Columns that `schema` does not name are ignored.
 * @throws {Error} naming file, row and column of each mistake.
 */
export function readRows<Row>(file: string, schema: z.ZodType<Row>): Row[] {
  let records: Record<string, string>[];
  try {
    records = parse(readFileSync(file), { columns: true, bom: true, skip_empty_lines: true });
  } catch (error) {
    throw new Error(`${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  if (records.length === 0) throw new Error(`${file} has no rows.`);
  const mistakes: string[] = [];
  const rows = records.flatMap((record, index) => {
    const parsed = schema.safeParse(record);
    if (parsed.success) return [parsed.data];
    for (const { path, message } of parsed.error.issues) {
      const column = String(path[0]);
      const value = column in record ? JSON.stringify(record[column]) : 'missing';
      mistakes.push(`row ${index + 1}, column ${column} is ${value}: ${message}`);
    }
    return [];
  });
  if (mistakes.length === 0) return rows;
  const more = mistakes.length > NAMED ? [`and ${mistakes.length - NAMED} more`] : [];
  throw new Error([`${file} is not as expected:`, ...mistakes.slice(0, NAMED), ...more].join('\n  '));
}
