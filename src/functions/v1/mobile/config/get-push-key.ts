import { z } from 'zod';
import { endpoint } from '../../../../lib/http/endpoint.ts';

const PushKey = z
  .object({
    public_key: z.string().nullable().meta({
      description:
        'The `applicationServerKey` of `pushManager.subscribe`, base64url; null where browsers get no messages.',
    }),
  })
  .meta({ id: 'PushKey', description: 'What browsers subscribe to push messages with.' });

export const v1MobileGetPushKey = endpoint({
  name: 'v1MobileGetPushKey',
  method: 'GET',
  route: 'api/v1/mobile/config/push-key',
  tag: 'Configuration',
  summary: 'Get the public key for push subscriptions of browsers',
  description:
    'Send the subscription to `POST /api/v1/mobile/devices` as the `token` of platform `web`. A browser that ' +
    'subscribed with another key must subscribe again.',
  auth: 'public',
  audit: 'none',
  perNetwork: 300,
  reply: { status: 200, description: 'The key.', body: PushKey },
  problems: [],
  async handler({ context }) {
    return { public_key: context.push.webPushKey ?? null };
  },
});
