import { auditEvents } from '../../../../contract/audit.ts';
import { Activity, ActivityChange } from '../../../../domain/cases/queue/activity.schemas.ts';
import { changeActivity } from '../../../../domain/cases/queue/change-activity.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1BackofficeChangeActivity = endpoint({
  name: 'v1BackofficeChangeActivity',
  method: 'PATCH',
  route: 'api/v1/backoffice/physicians/activity',
  tag: 'Backoffice',
  summary: 'Start or end a vacation',
  description:
    'A physician on vacation is offered no cases. Cases reserved for the physician, and cases on hold that wait for ' +
    'this physician only, return to the queue immediately; leased cases stay until their leases expire. Admins can ' +
    'do this for any physician.',
  auth: 'physician-level',
  audit: auditEvents.physicianActivity,
  body: ActivityChange,
  reply: { status: 200, description: 'As it is now.', body: Activity },
  problems: ['physician_profile_required', 'physician_not_found'],
  async handler({ context, actor, body }) {
    return await changeActivity(context, actor, body);
  },
});
