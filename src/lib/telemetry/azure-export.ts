import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { z } from 'zod';
import type { Credential } from '../db/entra-token.ts';
import { describeError, type Log } from './log.ts';
import { withinMs } from '../concurrency/within-ms.ts';
import { dependencyItem, metricItems, seriesKey, type Total, totalOf } from './azure-items.ts';
import type { CollectedMeters } from './meters.ts';
import type { SpanCollector } from './span-collector.ts';

export interface AzureExportOptions {
  meters: CollectedMeters;
  spans: SpanCollector;
  /** APPLICATIONINSIGHTS_CONNECTION_STRING */
  connectionString: string;
  /** The name under which Application Insights shows this app. */
  role: string;
  /** Names this instance of the app. */
  instance: string;
  log: Log;
  /** Opens the managed identity's credential, for resources that do not accept the instrumentation key alone. */
  openCredential?: (() => Promise<Credential>) | undefined;
  intervalMs?: number;
  /** Milliseconds for the token, and again for sending; 3000 by default. */
  sendWithinMs?: number;
}

export interface AzureExport {
  /** Sends everything measured since the last flush; never throws. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** https://learn.microsoft.com/azure/azure-monitor/app/azure-ad-authentication */
const scope = 'https://monitor.azure.com//.default';
const compress = promisify(gzip);

/** Item statuses worth a retry, the same as in Microsoft's exporters. */
const temporary = new Set([401, 403, 408, 429, 439, 500, 502, 503, 504]);

/** The body of a 206 reply: the rejected items. */
const Verdict = z.object({ errors: z.array(z.object({ index: z.int(), statusCode: z.int() })) });
type Refusal = z.infer<typeof Verdict>['errors'][number];

/** An item to send; `requeue` includes it in the next flush again. */
interface Outgoing {
  item: object;
  requeue: () => void;
}

/**
 * Sends metrics and spans to Application Insights every minute, metrics as sums and counts of that minute. A failed
 * flush is repeated a minute later, and the next flush resends rejected items. Requests never wait for it.
 */
export function exportToAzure({
  meters,
  spans,
  role,
  instance,
  log,
  ...options
}: AzureExportOptions): AzureExport {
  const { key, endpoint } = readConnectionString(options.connectionString);
  const { openCredential, sendWithinMs = 3000 } = options;
  const sender = { instrumentationKey: key, role, instance };
  let credential: Promise<Credential> | undefined;
  /** Each series as it was last sent. */
  let sent: ReadonlyMap<string, Total> = new Map();
  let flushing = Promise.resolve();

  async function authorization(): Promise<Record<string, string>> {
    if (openCredential === undefined) return {};
    const granted = await withinMs(sendWithinMs, async (abortSignal) =>
      (await (credential ??= openCredential())).getToken(scope, { abortSignal }),
    );
    return granted === null ? {} : { authorization: `Bearer ${granted.token}` };
  }

  /** @returns the rejected items. */
  async function send(items: readonly object[]): Promise<Refusal[]> {
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
    const text = await response.text();
    if (!response.ok) throw new Error(`telemetry was answered ${response.status}`);
    return response.status === 206 ? readRefusals(text) : [];
  }

  /** Of an unreadable list we resend nothing: Azure Monitor would count the accepted items twice. */
  function readRefusals(text: string): Refusal[] {
    try {
      return Verdict.parse(JSON.parse(text)).errors;
    } catch (error) {
      log.warn('telemetry_refusals_unreadable', describeError(error));
      return [];
    }
  }

  /** The changes since `sent`, and the next value of `sent` if all of them are accepted. */
  function changesOf(metrics: readonly MetricData[]) {
    const now = new Map<string, Total>();
    const outgoing = metrics.flatMap((metric) =>
      metric.dataPoints.flatMap((point) => {
        const id = seriesKey(metric, point);
        const before = sent.get(id) ?? { value: 0, count: 0 };
        now.set(id, totalOf(point));
        const requeue = () => void now.set(id, before);
        return metricItems(sender, metric, point, before).map((item): Outgoing => ({ item, requeue }));
      }),
    );
    return { outgoing, now };
  }

  async function sendAll(): Promise<void> {
    const ended = spans.take();
    try {
      const { outgoing, now } = changesOf(await meters.collect());
      outgoing.push(...ended.map(outgoingSpan));
      if (outgoing.length === 0) return;
      const refused = await send(outgoing.map(({ item }) => item));
      for (const { index, statusCode } of refused) if (temporary.has(statusCode)) outgoing[index]?.requeue();
      sent = now;
      if (refused.length > 0)
        log.warn('telemetry_refused', { items: refused.length, status: refused[0]?.statusCode });
    } catch (error) {
      spans.putBack(ended);
      credential = undefined;
      log.warn('telemetry_not_sent', describeError(error));
    }
  }

  const outgoingSpan = (span: ReadableSpan): Outgoing => ({
    item: dependencyItem(sender, span),
    requeue: () => spans.putBack([span]),
  });

  /** Flushes run one after the other: two at once would send the same change twice. */
  function flush(): Promise<void> {
    return (flushing = flushing.then(sendAll));
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
