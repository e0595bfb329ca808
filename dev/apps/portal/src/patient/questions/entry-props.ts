import type { NextQuestion } from 'dermagate-client';
import type { Entry } from '../intake/check-answer.ts';

/** Properties of the input of every question type. */
export interface EntryProps {
  question: NextQuestion;
  entry: Entry;
  onEntry: (entry: Entry) => void;
  /** Ids of the elements with its bounds and its error. */
  describedBy: string;
  isInvalid: boolean;
}
