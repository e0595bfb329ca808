import type { Deadline } from './deadline.ts';

/** Everything that a call to the AI service carries besides its body. */
export interface AiCall {
  requestId: string;
  traceparent: string;
  language: string;
  /** Ends the call, retries included; passed on as `x-deadline-ms`. */
  deadline: Deadline;
}
