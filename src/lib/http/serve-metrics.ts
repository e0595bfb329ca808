import type { HttpHandler } from '@azure/functions';
import type { CollectedMeters } from '../telemetry/meters.ts';
import { prometheusContentType, prometheusText } from '../telemetry/prometheus.ts';
import { rawResponse } from './respond.ts';

/** GET /metrics, which is registered in development only: in the cloud it would be public. */
export function serveMetrics(meters: CollectedMeters): HttpHandler {
  return async () =>
    rawResponse(200, prometheusText(await meters.collect()), { 'content-type': prometheusContentType });
}
