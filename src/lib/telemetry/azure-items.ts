import { type Attributes, type HrTime, SpanStatusCode } from '@opentelemetry/api';
import { DataPointType, type MetricData } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

/*
 * The items of Application Insights' ingestion endpoint, as its SDKs send them.
 * https://github.com/microsoft/ApplicationInsights-Home/tree/master/EndpointSpecs/Schemas/Bond
 */

/** The sending app: `role` is its name on the application map, `instance` one of its instances. */
export interface Sender {
  instrumentationKey: string;
  role: string;
  instance: string;
}

/** Cumulative value and, for a histogram, the sum and number of its recordings. */
export interface Total {
  value: number;
  count: number;
}

type Point = MetricData['dataPoints'][number];

export const seriesKey = ({ descriptor }: MetricData, { attributes }: Point): string =>
  `${descriptor.name} ${JSON.stringify(attributes)}`;

export const totalOf = ({ value }: Point): Total =>
  typeof value === 'number' ? { value, count: 0 } : { value: value.sum ?? 0, count: value.count };

/** `MetricData`: the change since `before`, or a gauge's current value; no item when nothing changed. */
export function metricItems(sender: Sender, metric: MetricData, point: Point, before: Total): object[] {
  const total = totalOf(point);
  const count = total.count - before.count;
  const isGauge =
    metric.dataPointType === DataPointType.GAUGE ||
    (metric.dataPointType === DataPointType.SUM && !metric.isMonotonic);
  const isHistogram = typeof point.value !== 'number';
  const value = isGauge ? total.value : total.value - before.value;
  const isQuiet = isHistogram ? count === 0 : value === 0 && before.value === total.value;
  if (isQuiet) return [];
  const kind = isHistogram ? { kind: 'Aggregation', count } : { kind: 'Measurement', count: 1 };
  const metrics = [{ name: metric.descriptor.name, value, ...kind }];
  const data = { metrics, properties: texts(point.attributes) };
  return [item(sender, 'Metric', 'MetricData', new Date(), data)];
}

/** `RemoteDependencyData`: a call of another service, as a child of the request that made it. */
export function dependencyItem(sender: Sender, span: ReadableSpan): object {
  const { traceId, spanId } = span.spanContext();
  const { 'url.full': url, 'server.address': target, ...rest } = span.attributes;
  const properties = texts(rest);
  const data = {
    id: spanId,
    name: span.name,
    type: 'HTTP',
    target,
    data: url,
    duration: timeSpan(milliseconds(span.duration)),
    success: span.status.code !== SpanStatusCode.ERROR,
    resultCode: properties['http.response.status_code'] ?? properties['error.type'],
    properties,
  };
  const startedAt = new Date(milliseconds(span.startTime));
  return item(sender, 'RemoteDependency', 'RemoteDependencyData', startedAt, data, {
    'ai.operation.id': traceId,
    'ai.operation.parentId': span.parentSpanContext?.spanId,
  });
}

function item(
  { instrumentationKey, role, instance }: Sender,
  name: string,
  baseType: string,
  time: Date,
  data: object,
  tags: object = {},
): object {
  return {
    name: `Microsoft.ApplicationInsights.${name}`,
    iKey: instrumentationKey,
    time: time.toISOString(),
    tags: { 'ai.cloud.role': role, 'ai.cloud.roleInstance': instance, ...tags },
    data: { baseType, baseData: { ver: 2, ...data } },
  };
}

const texts = (attributes: Attributes): Record<string, string> =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));

const milliseconds = ([seconds, nanoseconds]: HrTime): number => seconds * 1000 + nanoseconds / 1e6;

/** .NET's `d.hh:mm:ss.fff`. */
function timeSpan(ms: number): string {
  const days = Math.floor(ms / 86_400_000);
  return `${days}.${new Date(ms).toISOString().slice(11, 23)}`;
}
