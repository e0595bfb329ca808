import type { CaseImageInput, PartialAnamnesis, Profile } from 'dermagate-client';
import { type Intake, stateOf } from '../intake/intake.ts';

export interface CaseContent {
  /** Without `images`, which the gateway adds by itself. */
  anamnesis: PartialAnamnesis;
  images: CaseImageInput[];
}

/** What a case consists of, by the answers so far. */
export function contentOf(intake: Intake): CaseContent {
  const { images = [], ...anamnesis } = stateOf(intake).anamnesis;
  // One photo may answer two questions; a case names it once.
  const names = new Set(images.flatMap(({ url }) => (url === undefined ? [] : [nameOf(url)])));
  return { anamnesis, images: [...names].map((name) => ({ name })) };
}

/** @param path such as `/api/common/images/<uuid>`. */
export const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

/** A child does not answer for itself, and an adult has no guardian. The gateway refuses both. */
export function fits({ relation }: Pick<Profile, 'relation'>, { reporter }: PartialAnamnesis): boolean {
  return relation === 'self' ? reporter !== 'parent_guardian' : reporter !== 'self';
}
