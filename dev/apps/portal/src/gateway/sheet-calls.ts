// What the page for a doctor needs, in a language of its own.
import type { PartialAnamnesis } from 'dermagate-client';
import type { Language } from '../i18n/texts.ts';
import type { AnamnesisLabels } from './anamnesis-labels.ts';
import { attempt, dermagate } from './gateway.ts';

export const readAnamnesisLabels = (given: AbortSignal) =>
  attempt(
    async (signal) =>
      (await dermagate.config.resource('anamnesis-labels.json', { signal })) as unknown as AnamnesisLabels,
    given,
  );

export const findRedFlagsIn = (lang: Language, anamnesis: PartialAnamnesis, given: AbortSignal) =>
  attempt((signal) => dermagate.intake.redFlags(anamnesis, { lang, signal }), given);
