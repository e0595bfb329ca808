import type { Credential } from '../db/entra-token.ts';
import { describeError, type Log } from '../log.ts';
import type { Meters, Metric, Series } from './meter-provider.ts';

export interface AzureExportOptions {
  meters: Meters;
  /** APPLICATIONINSIGHTS_CONNECTION_STRING */
  connectionString: string;
  log: Log;
  /** Of the managed identity, for resources that take no instrumentation key alone. */
  openCredential?: (() => Promise<Credential>) | undefined;
  intervalMs?: number;
}

export interface AzureExport {
  /** Sends what has been measured since the last time; never throws. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** https://learn.microsoft.com/azure/azure-monitor/app/azure-ad-authentication */
const scope = 'https://monitor.azure.com//.default';
const sendWithinMs = 3000;

/**
 * Sends the metrics to Application Insights every minute, as sums and counts of that minute (`MetricData` of its
 * ingestion endpoint). What cannot be sent comes with the next minute; requests are never held up by it.
 */
export function exportToAzure({ meters, log, ...options }: AzureExportOptions): AzureExport {
  const { key, endpoint } = readConnectionString(options.connectionString);
  let credential: Promise<Credential> | undefined;
  let sent = new Map<string, Pick<Series, 'value' | 'count'>>();

  async function authorization(): Promise<Record<string, string>> {
    if (options.openCredential === undefined) return {};
    const granted = await (await (credential ??= options.openCredential())).getToken(scope);
    return granted === null ? {} : { authorization: `Bearer ${granted.token}` };
  }

  async function flush(): Promise<void> {
    try {
      const metrics = await meters.collect();
      const now = new Map<string, Pick<Series, 'value' | 'count'>>();
      const items = metrics.flatMap((metric) =>
        metric.series.flatMap((series) => {
          const id = `${metric.name} ${JSON.stringify(series.attributes)}`;
          now.set(id, series);
          return itemOf(metric, series, sent.get(id));
        }),
      );
      if (items.length === 0) return;
      const time = new Date().toISOString();
      const response = await fetch(new URL('v2.1/track', endpoint), {
        method: 'POST',
        headers: { 'content-type': 'application/x-json-stream', ...(await authorization()) },
        body: items.map((data) => JSON.stringify({ ...envelope(key), time, data })).join('\n'),
        signal: AbortSignal.timeout(sendWithinMs),
      });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`metrics were answered ${response.status}`);
      sent = now;
    } catch (error) {
      credential = undefined;
      log.warn('metrics_not_sent', describeError(error));
    }
  }

  const timer = setInterval(() => void flush(), options.intervalMs ?? 60_000);
  timer.unref();
  return {
    flush,
    async close() {
      clearInterval(timer);
      await flush();
    },
  };
}

/** `InstrumentationKey=…;IngestionEndpoint=https://…/;…` @throws when a part is missing, without its value. */
function readConnectionString(text: string): { key: string; endpoint: URL } {
  const parts = new Map(
    text.split(';').map((part) => {
      const at = part.indexOf('=');
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()];
    }),
  );
  const key = parts.get('instrumentationkey') ?? '';
  const endpoint = parts.get('ingestionendpoint') ?? 'https://dc.services.visualstudio.com/';
  if (key === '' || !URL.canParse(endpoint)) {
    throw new Error('APPLICATIONINSIGHTS_CONNECTION_STRING has no InstrumentationKey or no usable endpoint');
  }
  return { key, endpoint: new URL(endpoint.endsWith('/') ? endpoint : `${endpoint}/`) };
}

const envelope = (iKey: string) => ({
  name: 'Microsoft.ApplicationInsights.Metric',
  iKey,
  tags: { 'ai.cloud.role': 'dermagate' },
});

/** What changed since `before`; a level is told as it stands. Nothing when nothing happened. */
function itemOf(metric: Metric, series: Series, before = { value: 0, count: 0 }): object[] {
  const count = series.count - before.count;
  const value = metric.kind === 'level' ? series.value : series.value - before.value;
  const isQuiet = metric.kind === 'histogram' ? count === 0 : value === 0 && before.value === series.value;
  if (isQuiet) return [];
  const properties = Object.fromEntries(
    Object.entries(series.attributes).map(([name, text]) => [name, String(text)]),
  );
  const kind =
    metric.kind === 'histogram' ? { kind: 'Aggregation', count } : { kind: 'Measurement', count: 1 };
  const metrics = [{ name: metric.name, value, ...kind }];
  return [{ baseType: 'MetricData', baseData: { ver: 2, metrics, properties } }];
}
