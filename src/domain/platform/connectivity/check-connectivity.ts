import type { Context } from '../../../lib/app/context.ts';
import { isDatabaseUnavailable } from '../../../lib/db/errors.ts';
import { describeError } from '../../../lib/telemetry/log.ts';
import { withinMs } from '../../../lib/concurrency/within-ms.ts';
import { requireActiveTenant } from '../tenants/tenant.queries.ts';
import { type Parameters, parameterSchemas } from '../parameters/parameter-schemas.ts';
import { readParameters } from '../parameters/read-parameters.ts';
import { compareVersions } from './compare-versions.ts';
import type { Connectivity } from './connectivity.schemas.ts';
import { answersWithinMs, readServiceStates } from './dependency-health.ts';

/**
 * What an app has to know when it starts. It answers without a database too, and as soon where that hangs as where it is
 * gone: then without the tenant's settings.
 * @throws {Problem} `tenant_not_found`
 */
export async function checkConnectivity(
  context: Context,
  { client_time: clientTime, app_version: appVersion }: { client_time: string; app_version: string },
): Promise<Connectivity> {
  const { request, clock, config } = context;
  const [settings, services] = await Promise.all([readSettings(context), readServiceStates(context)]);
  const { min_version: min, recommended_version: recommended, maintenance } = settings;
  const now = clock.now();
  return {
    server_time: now,
    // By the time of arrival: how long the checks took is no skew.
    clock_skew_ms: new Date(clientTime).getTime() - request.receivedAt.getTime(),
    update: isOlder(appVersion, min) ? 'required' : isOlder(appVersion, recommended) ? 'recommended' : 'none',
    min_version: min,
    maintenance:
      maintenance === null || isOver(maintenance, now)
        ? null
        : { until: maintenance.until, text: maintenance.text[request.language] ?? maintenance.text.en },
    emergency_number: config.EMERGENCY_NUMBER,
    crisis_line: config.CRISIS_LINE ?? null,
    services,
  };
}

async function readSettings(context: Context): Promise<Parameters<'mobile/app'>> {
  try {
    return await withinMs(answersWithinMs, async () => {
      const { id } = await requireActiveTenant(context.db, context.request.tenantSlug);
      return await readParameters(context, id, 'mobile/app');
    });
  } catch (error) {
    if (!isDatabaseUnavailable(error) && !isTimeout(error)) throw error;
    context.log.warn('parameters_unavailable', describeError(error));
    return parameterSchemas['mobile/app'].parse({});
  }
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

/** The notice stays in the parameters until an admin takes it out. */
const isOver = ({ until }: { until: string | null }, now: Date) => until !== null && new Date(until) <= now;

const isOlder = (version: string, than: string | null) => than !== null && compareVersions(version, than) < 0;
