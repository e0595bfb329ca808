import type { NextQuestion } from 'dermagate-client';
import type { Entry } from '../intake/check-answer.ts';

/** What the input of every question type gets. */
export interface EntryProps {
  question: NextQuestion;
  entry: Entry;
  onEntry: (entry: Entry) => void;
  /** Of what says more about the input: its bounds, its error. */
  describedBy: string;
  isInvalid: boolean;
}
