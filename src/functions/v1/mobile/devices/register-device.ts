import { z } from 'zod';
import { Timestamp } from '../../../../contract/timestamp.ts';
import { AppVersion, Platform } from '../../../../domain/platform/parameters/app-version.ts';
import { registerDevice } from '../../../../domain/identity/devices/register-device.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const Device = z
  .object({
    uuid: z.uuid().meta({ description: 'For `DELETE /api/v1/mobile/devices/{uuid}`.' }),
    platform: Platform,
    app_version: z.string().meta({ description: 'Of the app.' }),
    last_seen_at: Timestamp.meta({ description: 'When it was registered last.' }),
  })
  .meta({ id: 'Device', description: 'A device that gets push messages.' });

export const v1MobileRegisterDevice = endpoint({
  name: 'v1MobileRegisterDevice',
  method: 'POST',
  route: 'api/v1/mobile/devices',
  tag: 'Devices',
  summary: 'Register a device for push messages',
  description:
    'Repeat this at every start of the app: a device is removed after 90 days without registration, and when its ' +
    'session ends. Registering a known token updates its device. An account has 20 devices: a further one replaces the ' +
    'one that was registered longest ago. Push messages contain no medical content. Phones send the registration token ' +
    'of Firebase Cloud Messaging; browsers subscribe with the key from `GET /api/v1/mobile/config/push-key` and send ' +
    '`JSON.stringify(subscription)`.',
  auth: 'any',
  audit: { category: 'auth', success: 'device_registered', refusal: 'device_registered' },
  body: z
    .strictObject({
      platform: Platform,
      token: z
        .string()
        .regex(/^[\x21-\x7e]{8,4096}$/)
        .meta({
          description:
            'Of the provider of push messages; for `web` the subscription as JSON, with an endpoint of a push service that ' +
            'browsers use. Stored sealed.',
        }),
      app_version: AppVersion.meta({ description: 'Such as `2.14.0`.' }),
    })
    .meta({ id: 'NewDevice', description: 'A device that is to get push messages.' }),
  reply: { status: 201, description: 'The device gets push messages.', body: Device },
  problems: [],
  async handler({ context, actor, body }) {
    return await registerDevice(context, actor, body);
  },
});
