// main.ts imports this first: an instrument that is created before the provider is installed records nothing.
import { metrics } from '@opentelemetry/api';
import { createMeters } from './meters.ts';

/** All instruments of this process. */
export const meters = createMeters();
metrics.setGlobalMeterProvider(meters);
