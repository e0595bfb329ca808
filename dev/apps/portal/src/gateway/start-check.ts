import type { Connectivity } from 'dermagate-client';
import type { Outcome } from './attempt.ts';
import { attempt, dermagate } from './gateway.ts';

const { config } = dermagate;

/** What an app has to know when it starts; needs no session. */
export const checkStart = (): Promise<Outcome<Connectivity>> =>
  attempt((signal) =>
    config.checkConnectivity(
      { client_time: new Date().toISOString(), app_version: __VERSION__, platform: 'web' },
      { signal },
    ),
  );
