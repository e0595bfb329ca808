import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Credential } from '../db/entra-token.ts';
import { describeError, type Log } from '../log.ts';
import { dependencyItem, metricItems, type Sent, seriesKey } from './azure-items.ts';
import type { Meters, Metric, Series } from './meter-provider.ts';
import type { SpanCollector } from './span-collector.ts';

export interface AzureExportOptions {
  meters: Meters;
  spans: SpanCollector;
  /** APPLICATIONINSIGHTS_CONNECTION_STRING */
  connectionString: string;
  /** The name under which Application Insights shows this app. */
  role: string;
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
const compress = promisify(gzip);

/**
 * Sends metrics and spans to Application Insights every minute, metrics as sums and counts of that minute. What
 * cannot be sent comes with the next minute; requests are never held up by it.
 */
export function exportToAzure({ meters, spans, role, log, ...options }: AzureExportOptions): AzureExport {
  const { key, endpoint } = readConnectionString(options.connectionString);
  const sender = { instrumentationKey: key, role };
  let credential: Promise<Credential> | undefined;
  let sent: Sent = new Map();

  async function authorization(): Promise<Record<string, string>> {
    if (options.openCredential === undefined) return {};
    const granted = await (await (credential ??= options.openCredential())).getToken(scope);
    return granted === null ? {} : { authorization: `Bearer ${granted.token}` };
  }

  async function send(items: readonly object[]): Promise<void> {
    const response = await fetch(new URL('v2.1/track', endpoint), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-json-stream',
        'content-encoding': 'gzip',
        ...(await authorization()),
      },
      body: await compress(items.map((item) => JSON.stringify(item)).join('\n')),
      signal: AbortSignal.timeout(sendWithinMs),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`telemetry was answered ${response.status}`);
  }

  function changesOf(metrics: readonly Metric[]) {
    const now: Map<string, Series> = new Map();
    const items = metrics.flatMap((metric) =>
      metric.series.flatMap((series) => {
        const id = seriesKey(metric, series);
        now.set(id, series);
        return metricItems(sender, metric, series, sent.get(id));
      }),
    );
    return { items, now };
  }

  async function flush(): Promise<void> {
    const ended = spans.take();
    try {
      const { items, now } = changesOf(await meters.collect());
      items.push(...ended.map((span) => dependencyItem(sender, span)));
      if (items.length === 0) return;
      await send(items);
      sent = now;
    } catch (error) {
      spans.putBack(ended);
      credential = undefined;
      log.warn('telemetry_not_sent', describeError(error));
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
