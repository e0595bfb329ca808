import { z } from 'zod';
import { removeDevice } from '../../../../domain/identity/devices/remove-device.ts';
import { endpoint } from '../../../../lib/http/endpoint.ts';

export const v1MobileRemoveDevice = endpoint({
  name: 'v1MobileRemoveDevice',
  method: 'DELETE',
  route: 'api/v1/mobile/devices/{uuid}',
  tag: 'Devices',
  summary: 'Remove a device of the caller from push messages',
  description: 'Repeating the request gives 404.',
  auth: 'any',
  audit: { category: 'auth', success: 'device_removed', refusal: 'device_removed' },
  params: z.object({ uuid: z.uuid().meta({ description: 'One of my devices.' }) }),
  reply: { status: 204, description: 'The device gets no more messages.' },
  problems: ['not_found'],
  async handler({ context, actor, params: { uuid } }) {
    await removeDevice(context, actor, uuid);
  },
});
