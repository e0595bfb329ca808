import type { RedFlagUrgency } from '../red-flags.schemas.ts';
import type { Flag } from '../flag-text.ts';
import type { Condition } from '../answer-logic.ts';

export interface RedFlagRule {
  /** `RF01` and on: stable, for tests, documents and records. */
  id: string;
  /** Several rules may raise one flag, with different urgencies. */
  flag: Flag;
  urgency: RedFlagUrgency;
  /** Guideline with section, or another reference that the rule follows. */
  source: string;
  /**
   * The rule's own key finding. While it is met and the rest is open, the rule cannot be excluded.
   */
  key: Condition;
  /** Further condition; absent, the key finding alone is enough. */
  when?: Condition;
  /** Raises its flag only when no other rule of urgency emergency is met. */
  unlessOtherEmergency?: true;
}
