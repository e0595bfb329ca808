import type { Clock } from '../../contract/clock.ts';
import { createFcm, type FcmOptions } from './fcm.ts';
import type { PushDevice, PushMessage } from './push-message.ts';
import { createPushTransport } from './push-transport.ts';
import { createWebPush, type WebPushOptions } from './web-push.ts';

/** Sends push messages: by FCM to phones, by Web Push to browsers. */
export interface PushSender {
  /** Whether a provider is configured for devices of the platform. */
  serves(platform: PushDevice['platform']): boolean;
  /** What browsers subscribe with (`applicationServerKey`); undefined where Web Push is not configured. */
  webPushKey: string | undefined;
  /**
   * Resolves when the provider has accepted the message.
   * @throws {PushGone}, {PushRejected}, {PushDelayed}; any other error concerns the connection.
   */
  send(device: PushDevice, message: PushMessage): Promise<void>;
  close(): Promise<void>;
}

export interface PushOptions {
  /** Absent where phones get no messages. */
  fcm: FcmOptions | undefined;
  /** Absent where browsers get no messages. */
  web: WebPushOptions | undefined;
  clock: Clock;
}

export function createPushSender({ fcm, web, clock }: PushOptions): PushSender {
  const transport = createPushTransport(clock);
  const phones = fcm && createFcm(fcm, transport, clock);
  const browsers = web && createWebPush(web, transport, clock);
  const providerOf = (platform: PushDevice['platform']) => (platform === 'web' ? browsers : phones);
  return {
    serves: (platform) => providerOf(platform) !== undefined,
    webPushKey: browsers?.publicKey,
    async send(device, message) {
      const provider = providerOf(device.platform);
      if (provider === undefined) throw new Error('no provider of push messages is configured');
      await provider.send(device.token, message);
    },
    close: transport.close,
  };
}
