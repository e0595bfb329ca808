import type { Attributes } from '@opentelemetry/api';
import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';

export const prometheusContentType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The metrics in Prometheus' text format, under the names that OpenTelemetry's translation gives them.
 * @see https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export function prometheusText(metrics: readonly MetricData[]): string {
  return metrics.flatMap(linesOf).join('');
}

function linesOf(metric: MetricData): string[] {
  const { name: dotted, unit, description } = metric.descriptor;
  const type = typeOf(metric);
  const suffix = unit === 'ms' ? '_milliseconds' : '';
  const name = `${dotted.replaceAll(/[^\w:]/g, '_')}${suffix}${type === 'counter' ? '_total' : ''}`;
  return [
    `# HELP ${name} ${description.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n`,
    `# TYPE ${name} ${type}\n`,
    ...metric.dataPoints.flatMap(({ attributes, value }) =>
      typeof value === 'number'
        ? [`${name}${labels(attributes)} ${value}\n`]
        : histogramLines(name, attributes, value),
    ),
  ];
}

function typeOf(metric: MetricData): string {
  if (metric.dataPointType === DataPointType.HISTOGRAM) return 'histogram';
  return metric.dataPointType === DataPointType.SUM && metric.isMonotonic ? 'counter' : 'gauge';
}

type Recordings = Exclude<MetricData['dataPoints'][number]['value'], number>;

function histogramLines(name: string, attributes: Attributes, value: Recordings): string[] {
  // No view asks for an exponential histogram.
  if (!('buckets' in value)) return [];
  let upTo = 0;
  const bounds = [...value.buckets.boundaries.map(String), '+Inf'];
  return [
    ...bounds.map((le, index) => {
      upTo += value.buckets.counts[index] ?? 0;
      return `${name}_bucket${labels({ ...attributes, le })} ${upTo}\n`;
    }),
    `${name}_sum${labels(attributes)} ${value.sum ?? 0}\n`,
    `${name}_count${labels(attributes)} ${value.count}\n`,
  ];
}

function labels(attributes: Attributes): string {
  const pairs = Object.entries(attributes).map(([key, value]) => {
    const text = String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
    return `${key.replaceAll(/\W/g, '_')}="${text}"`;
  });
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
