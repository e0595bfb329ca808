import { auditEvents } from '../../../../contract/audit.ts';
import { Activity, ActivityChange } from '../../../../domain/cases/queue/activity.schemas.ts';
import { changeActivity } from '../../../../domain/cases/queue/change-activity.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeChangeActivity = endpoint({
  name: 'v1BackofficeChangeActivity',
  method: 'PATCH',
  route: 'api/v1/backoffice/physicians/activity',
  tag: 'Backoffice',
  summary: 'Begin or end a vacation',
  description:
    'A physician who is away is offered no cases. Cases that are reserved for this physician, and those on hold that wait for ' +
    'nobody else, go back to the queue at once; cases in hand stay until their leases end. Admins do it for any physician.',
  auth: 'physician-level',
  audit: auditEvents.physicianActivity,
  body: ActivityChange,
  reply: { status: 200, description: 'As it is now.', body: Activity },
  problems: ['physician_profile_required', 'physician_not_found'],
  async handler({ context, actor, body }) {
    return await changeActivity(context, actor, body);
  },
});
