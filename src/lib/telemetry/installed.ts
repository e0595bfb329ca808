// main.ts imports this before anything else: an instrument that is made before the provider stands measures nothing.
import { metrics } from '@opentelemetry/api';
import { createMeters } from './meter-provider.ts';

/** Everything that this process measures. */
export const meters = createMeters();
metrics.setGlobalMeterProvider(meters);
