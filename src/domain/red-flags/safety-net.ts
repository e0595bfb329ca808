import { emergencyRules } from './emergency-rules.ts';
import { highRules } from './high-rules.ts';

/** The rules that the gateway checks itself, whatever the AI service says: all of urgency emergency and high. */
export const safetyNetRules = [...emergencyRules, ...highRules];
