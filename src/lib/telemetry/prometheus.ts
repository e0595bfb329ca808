import type { Attributes } from '@opentelemetry/api';
import { bucketBounds, type Metric, type Series } from './meter-provider.ts';

export const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The metrics in Prometheus' text format, under the names that OpenTelemetry's translation gives them.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function prometheusText(metrics: readonly Metric[]): string {
  return metrics.flatMap(linesOf).join('');
}

function linesOf({ name: dotted, kind, unit, description, series }: Metric): string[] {
  const suffix = unit === 'ms' ? '_milliseconds' : '';
  const name = `${dotted.replaceAll(/[^\w:]/g, '_')}${suffix}${kind === 'counter' ? '_total' : ''}`;
  const type = kind === 'gauge' ? 'gauge' : kind;
  return [
    `# HELP ${name} ${description.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`,
    `# TYPE ${name} ${type}\n`,
    ...series.flatMap((one) => (kind === 'histogram' ? histogramLines(name, one) : [line(name, one)])),
  ];
}

const line = (name: string, { attributes, value }: Series) => `${name}${labels(attributes)} ${value}\n`;

function histogramLines(name: string, { attributes, value, count, buckets }: Series): string[] {
  let upTo = 0;
  const bounds = [...bucketBounds.map(String), '+Inf'];
  return [
    ...bounds.map((le, index) => {
      upTo += buckets[index] ?? 0;
      return `${name}_bucket${labels({ ...attributes, le })} ${upTo}\n`;
    }),
    `${name}_sum${labels(attributes)} ${value}\n`,
    `${name}_count${labels(attributes)} ${count}\n`,
  ];
}

function labels(attributes: Attributes): string {
  const pairs = Object.entries(attributes).map(([key, value]) => {
    const text = String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
    return `${key.replaceAll(/\W/g, '_')}="${text}"`;
  });
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
