// What apps of staff call, apart from what patients' apps load.
import { mergeHeaders } from 'openapi-fetch';
import type { Dermagate } from './create-dermagate.ts';
import { type FollowOptions, followSession, type SessionEvent } from './follow-session.ts';
import { answerCalls } from './staff/answer-calls.ts';
import { staffCaseCalls } from './staff/case-calls.ts';
import { diseaseCalls, templateCalls } from './staff/catalogue-calls.ts';
import { auditTrailCalls, parameterCalls } from './staff/office-calls.ts';
import { groupCalls, invitationCalls, physicianCalls, userCalls } from './staff/people-calls.ts';
import { queueCalls } from './staff/queue-calls.ts';

export type { FollowOptions, SessionEvent } from './follow-session.ts';
export type { LiveCounts } from './staff/follow-counts.ts';

/** The calls of physicians and admins, with the session and the options of `api`. */
export function staffCalls({ transport }: Pick<Dermagate, 'transport'>) {
  const { named, baseUrl, headers, fetch, user } = transport;
  return {
    queue: queueCalls(named, user),
    cases: staffCaseCalls(named),
    answers: answerCalls(named),
    templates: templateCalls(named),
    diseases: diseaseCalls(named),
    physicians: physicianCalls(named),
    groups: groupCalls(named),
    users: userCalls(named),
    invitations: invitationCalls(named),
    parameters: parameterCalls(named),
    auditTrail: auditTrailCalls(named),

    /**
     * What happens to the session of a physician or an admin and to their cases, for `for await`: `hello` first, then each event
     * once. It reconnects by itself, and ends with the session, when another user signs in, or by `signal`; rejects for what no
     * wait can change.
     */
    followSession(options?: FollowOptions): AsyncGenerator<SessionEvent, void, void> {
      const url = `${baseUrl}/api/v1/backoffice/unique-sessions/connect`;
      return followSession({ url, headers: mergeHeaders(headers), fetch, user }, options);
    },
  };
}

export type StaffCalls = ReturnType<typeof staffCalls>;
