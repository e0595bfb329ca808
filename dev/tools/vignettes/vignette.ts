import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { TriageLevel } from '../../../src/domain/intake/triage/triage.schemas.ts';

/** A made-up patient and how soon they must be seen. test/vignettes/README.md explains the fields. */
const Vignette = z.object({
  id: z.string().min(1),
  title: z.string().default(''),
  anamnesis: z.record(z.string(), z.unknown()),
  must: z.object({
    minTriage: TriageLevel,
    maxTriage: TriageLevel,
    anyFlags: z.array(z.string()).optional(),
    harmless: z.boolean().optional(),
    mayDependOn: z.array(z.string()).optional(),
  }),
});
export type Vignette = z.infer<typeof Vignette>;

/** @throws {Error} naming the line that is not a vignette. */
export function readVignettes(file: string): Vignette[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const vignettes = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [readLine(line, `${file}:${index + 1}`)],
  );
  if (vignettes.length === 0) throw new Error(`${file} has no vignettes.`);
  return vignettes;
}

function readLine(line: string, place: string): Vignette {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch (cause) {
    throw new Error(`${place} is not JSON: ${(cause as Error).message}`, { cause });
  }
  const parsed = Vignette.safeParse(json);
  if (!parsed.success) throw new Error(`${place} is not a vignette: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** All other vignettes are dangerous. */
export function isHarmless({ must }: Vignette): boolean {
  return must.minTriage === 'self_care' || must.harmless === true;
}

export function isMoreUrgent(level: TriageLevel, than: TriageLevel): boolean {
  return TriageLevel.options.indexOf(level) < TriageLevel.options.indexOf(than);
}
