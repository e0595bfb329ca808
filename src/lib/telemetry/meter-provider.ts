import type { Attributes, Meter, MeterProvider, MetricOptions, ObservableCallback } from '@opentelemetry/api';

/*
 * This implements the OpenTelemetry API in place of the SDK: the app needs only sums and histograms in memory, and
 * every cold start would load the SDK. Instruments use the API, so the SDK can replace this file.
 */

export interface Series {
  attributes: Attributes;
  /** The current value; for a histogram, the sum. */
  value: number;
  /** Histograms only: number of recordings. */
  count: number;
  /** Histograms only: recordings in each bucket of {@link bucketBounds}, the last one unbounded; not cumulative. */
  buckets: number[];
}

export interface Metric {
  name: string;
  /** A `gauge` goes up and down and is reported as its current value. */
  kind: 'counter' | 'gauge' | 'histogram';
  unit: string;
  description: string;
  series: Series[];
}

export interface Meters extends MeterProvider {
  /** All metrics since the start of the process, in the order of their creation. */
  collect(): Promise<Metric[]>;
}

/** Upper bounds in milliseconds: the SDK's defaults. */
export const bucketBounds = [
  0, 5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000,
] as const;

/** Per instrument; further attribute sets share one overflow series, as in the SDK, so that memory stays bounded. */
const maximumSeries = 2000;
const overflow: Attributes = { 'otel.metric.overflow': true };

export function createMeters(): Meters {
  const instruments: { metric: Metric; observe: () => Promise<void> }[] = [];

  function make(kind: Metric['kind'], name: string, options: MetricOptions = {}) {
    const { unit = '', description = '' } = options;
    const series = new Map<string, Series>();
    const callbacks = new Set<ObservableCallback>();
    const seriesOf = (attributes: Attributes = {}): Series => {
      const key = JSON.stringify(Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1)));
      const known = series.get(key);
      if (known !== undefined) return known;
      if (series.size >= maximumSeries && attributes !== overflow) return seriesOf(overflow);
      const made = { attributes, value: 0, count: 0, buckets: kind === 'histogram' ? newBuckets() : [] };
      series.set(key, made);
      return made;
    };
    instruments.push({
      metric: {
        name,
        kind,
        unit,
        description,
        get series() {
          return [...series.values()];
        },
      },
      async observe() {
        const result = {
          observe: (value: number, attributes?: Attributes) => void (seriesOf(attributes).value = value),
        };
        for (const callback of callbacks) await callback(result);
      },
    });
    return {
      add: (value: number, attributes?: Attributes) => void (seriesOf(attributes).value += value),
      set: (value: number, attributes?: Attributes) => void (seriesOf(attributes).value = value),
      record(value: number, attributes?: Attributes) {
        const one = seriesOf(attributes);
        one.value += value;
        one.count += 1;
        const at = bucketBounds.findIndex((bound) => value <= bound);
        const bucket = at === -1 ? bucketBounds.length : at;
        one.buckets[bucket] = (one.buckets[bucket] ?? 0) + 1;
      },
      addCallback: (callback: ObservableCallback) => void callbacks.add(callback),
      removeCallback: (callback: ObservableCallback) => void callbacks.delete(callback),
    };
  }

  const meter: Meter = {
    createCounter: (name, options) => make('counter', name, options),
    createUpDownCounter: (name, options) => make('gauge', name, options),
    createHistogram: (name, options) => make('histogram', name, options),
    createGauge(name, options) {
      const { set } = make('gauge', name, options);
      return { record: set };
    },
    createObservableCounter: (name, options) => make('counter', name, options) as never,
    createObservableUpDownCounter: (name, options) => make('gauge', name, options) as never,
    createObservableGauge: (name, options) => make('gauge', name, options) as never,
    addBatchObservableCallback() {
      throw new Error('batch callbacks are not supported: give each instrument its own');
    },
    removeBatchObservableCallback: () => undefined,
  };

  return {
    getMeter: () => meter,
    async collect() {
      await Promise.all(instruments.map(({ observe }) => observe()));
      return instruments.map(({ metric }) => ({ ...metric, series: metric.series.map(copyOf) }));
    },
  };
}

const newBuckets = () => Array.from({ length: bucketBounds.length + 1 }, () => 0);
const copyOf = (series: Series): Series => ({ ...series, buckets: [...series.buckets] });
