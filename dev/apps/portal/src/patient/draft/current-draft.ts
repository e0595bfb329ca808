import { signal } from '@preact/signals';
import type { DraftSaver } from './draft-saver.ts';

/** What stores the intake in progress; undefined where the clinic takes no cases. */
export const draftSaver = signal<DraftSaver>();
