import type { MeterProvider as Meters } from '@opentelemetry/api';
import { type MetricData, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';

export interface CollectedMeters extends Meters {
  /** All metrics, cumulative since the start of the process, in the order of their creation. */
  collect(): Promise<MetricData[]>;
}

/** Only `collect` reads it; the SDK's periodic reader forgets the metrics of a failed export. */
class ReaderOnDemand extends MetricReader {
  protected override onForceFlush = async (): Promise<void> => {};
  protected override onShutdown = async (): Promise<void> => {};
}

export function createMeters(): CollectedMeters {
  const reader = new ReaderOnDemand();
  const provider = new MeterProvider({ readers: [reader] });
  return {
    getMeter: (name, version, options) => provider.getMeter(name, version, options),
    async collect() {
      const { resourceMetrics } = await reader.collect();
      return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
    },
  };
}
