import { v1MobileRegisterDevice } from '../../../../../src/functions/v1/mobile/devices/register-device.ts';
import { scenario } from '../../../scenario.ts';

const device = { platform: 'android', token: 'fcm-{{$timestamp}}', app_version: '2.14.0' };

export const registerDeviceScenario = scenario({
  endpoint: v1MobileRegisterDevice,
  as: 'newcomer',
  good: { phone: { title: 'A phone', json: device } },
  mistakes: {
    platform: {
      title: 'A platform that does not exist, and a token with a space',
      code: 'validation_error',
      pointers: ['/platform', '/token'],
      json: { ...device, platform: 'symbian', token: 'no token' },
    },
  },
  unauditedRefusal: 'only a body that is not understood is refused',
});
