import { v1MobileRegisterDevice } from '../../../../../src/functions/v1/mobile/devices/register-device.ts';
import { scenario } from '../../../scenario.ts';

const device = { platform: 'android', token: 'fcm-{{$timestamp}}', app_version: '2.14.0' };

export const registerDeviceScenario = scenario({
  endpoint: v1MobileRegisterDevice,
  as: 'newcomer',
  good: {
    phone: { title: 'A phone', json: device },
    browser: {
      title: 'A browser',
      json: {
        platform: 'web',
        token: JSON.stringify({
          endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/sample-{{$timestamp}}',
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
        }),
        app_version: '1.0',
      },
    },
  },
  mistakes: {
    platform: {
      title: 'A platform that does not exist, and a token with a space',
      code: 'validation_error',
      pointers: ['/platform', '/token'],
      json: { ...device, platform: 'symbian', token: 'no token' },
    },
    endpoint: {
      title: 'A browser whose endpoint is no push service',
      code: 'validation_error',
      pointers: ['/token'],
      json: {
        ...device,
        platform: 'web',
        token: JSON.stringify({
          endpoint: 'https://169.254.169.254/metadata',
          keys: {
            p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
            auth: 'BTBZMqHH6r4Tts7J_aSIgg',
          },
        }),
      },
    },
  },
  unauditedRefusal: 'only a body that is not understood is refused',
});
