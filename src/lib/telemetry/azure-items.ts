import type { Attributes } from '@opentelemetry/api';
import type { Metric, Series } from './meter-provider.ts';
import type { FinishedSpan } from './span-collector.ts';

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

/** Each series as it was last sent, by {@link seriesKey}. */
export type Sent = ReadonlyMap<string, Pick<Series, 'value' | 'count'>>;

export const seriesKey = (metric: Metric, { attributes }: Series): string =>
  `${metric.name} ${JSON.stringify(attributes)}`;

/** `MetricData`: the change since `before`, or a gauge's current value; no item when nothing changed. */
export function metricItems(
  sender: Sender,
  metric: Metric,
  series: Series,
  before: Pick<Series, 'value' | 'count'>,
): object[] {
  const count = series.count - before.count;
  const value = metric.kind === 'gauge' ? series.value : series.value - before.value;
  const isQuiet = metric.kind === 'histogram' ? count === 0 : value === 0 && before.value === series.value;
  if (isQuiet) return [];
  const kind =
    metric.kind === 'histogram' ? { kind: 'Aggregation', count } : { kind: 'Measurement', count: 1 };
  const metrics = [{ name: metric.name, value, ...kind }];
  const data = { metrics, properties: texts(series.attributes) };
  return [item(sender, 'Metric', 'MetricData', new Date(), data)];
}

/** `RemoteDependencyData`: a call of another service, as a child of the request that made it. */
export function dependencyItem(sender: Sender, span: FinishedSpan): object {
  const { 'url.full': url, 'server.address': target, ...rest } = span.attributes;
  const properties = texts(rest);
  const data = {
    id: span.spanId,
    name: span.name,
    type: 'HTTP',
    target,
    data: url,
    duration: timeSpan(span.milliseconds),
    success: !span.failed,
    resultCode: properties['http.response.status_code'] ?? properties['error.type'],
    properties,
  };
  return item(sender, 'RemoteDependency', 'RemoteDependencyData', span.startedAt, data, {
    'ai.operation.id': span.traceId,
    'ai.operation.parentId': span.parentSpanId,
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

/** .NET's `d.hh:mm:ss.fff`. */
function timeSpan(milliseconds: number): string {
  const days = Math.floor(milliseconds / 86_400_000);
  return `${days}.${new Date(milliseconds).toISOString().slice(11, 23)}`;
}
