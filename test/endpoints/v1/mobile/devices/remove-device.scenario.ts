import { v1MobileRemoveDevice } from '../../../../../src/functions/v1/mobile/devices/remove-device.ts';
import { scenario } from '../../../scenario.ts';

export const removeDeviceScenario = scenario({
  endpoint: v1MobileRemoveDevice,
  as: 'newcomer',
  good: {
    phone: {
      title: 'My phone',
      after: { phone: 'v1MobileRegisterDevice' },
      params: { uuid: '{{phone.response.body.uuid}}' },
    },
  },
  unauditedRefusal: 'a device of someone else is 404 as one that does not exist',
});
