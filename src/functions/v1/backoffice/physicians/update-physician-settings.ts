import { PhysicianDetails } from '../../../../domain/identity/physicians/physician.schemas.ts';
import { SettingsChange } from '../../../../domain/identity/physicians/settings-change.schemas.ts';
import { updateSettings } from '../../../../domain/identity/physicians/update-settings.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';
import { expectedVersion, versionTag } from '../../../../lib/http/record-version.ts';

export const v1BackofficeUpdatePhysicianSettings = endpoint({
  name: 'v1BackofficeUpdatePhysicianSettings',
  method: 'PATCH',
  route: 'api/v1/backoffice/physicians/settings',
  tag: 'Backoffice',
  summary: 'Change the settings of a physician',
  description:
    'Physicians change their own `settings` and `language_preference`. Admins change those of any physician, and ' +
    'also `admin_settings` and `private_pool`.',
  auth: 'physician-level',
  audit: { category: 'admin', success: 'physician_updated', refusal: 'physician_updated' },
  reads: ['if-match'],
  sends: ['ETag'],
  body: SettingsChange,
  reply: { status: 200, description: 'The physician as it is now.', body: PhysicianDetails },
  problems: ['forbidden', 'physician_profile_required', 'physician_not_found'],
  async handler({ context, actor, body: { version, ...change }, request, replyHeaders }) {
    const expected = expectedVersion(request.ifMatch, version);
    const physician = await updateSettings(context, actor, { ...change, version: expected });
    replyHeaders['etag'] = versionTag(physician.version);
    return physician;
  },
});
