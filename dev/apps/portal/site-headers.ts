// The headers of the portal as a static site, and the file that makes Azure Static Web Apps send them.

/** What the pages connect to beside their own origin. */
export interface Connections {
  gatewayUrl: string;
  /** Endpoint of Azure Web PubSub, http or https, which carries live counts; undefined: the desk polls. */
  liveUrl?: string | undefined;
}

/** Of https://learn.microsoft.com/azure/static-web-apps/configuration what this site uses. */
export interface SiteConfiguration {
  /** The first rule that matches a path; its headers replace global ones of the same name. */
  routes: { route: string; headers: Readonly<Record<string, string>> }[];
  navigationFallback: { rewrite: string; exclude: string[] };
  globalHeaders: Readonly<Record<string, string>>;
}

const YEAR_S = 31_536_000;

/**
 * Scripts and styles only as files of the portal: neither inline ones nor those of another origin run.
 *
 * @param styleSources more sources of styles, for Vite, which inlines them while it serves sources.
 */
export function contentSecurityPolicy(
  { gatewayUrl, liveUrl }: Connections,
  styleSources: readonly string[] = [],
): string {
  const connections = [`'self'`, new URL(gatewayUrl).origin, ...liveOrigins(liveUrl)];
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src ${[`'self'`, ...styleSources].join(' ')}`,
    // Photos are object URLs, the icon is a data URL.
    `img-src 'self' blob: data:`,
    `connect-src ${connections.join(' ')}`,
    `font-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** A WebSocket has a scheme of its own, and `'self'` or an http origin does not include it in every browser. */
function liveOrigins(liveUrl: string | undefined): string[] {
  return liveUrl === undefined ? [] : [new URL(liveUrl).origin.replace(/^http/, 'ws')];
}

/** The content of `staticwebapp.config.json` for this gateway. */
export function siteConfiguration(connections: Connections): SiteConfiguration {
  return {
    // Names in `assets/` contain a hash of the content.
    routes: [{ route: '/assets/*', headers: { 'Cache-Control': `public, max-age=${YEAR_S}, immutable` } }],
    // Every page is index.html, but an asset of an older version must be missing rather than a page.
    navigationFallback: { rewrite: '/index.html', exclude: ['/assets/*'] },
    globalHeaders: {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': contentSecurityPolicy(connections),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Permissions-Policy':
        'camera=(self), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
      // Links in mails carry tokens in their address.
      'Referrer-Policy': 'no-referrer',
      'Strict-Transport-Security': `max-age=${2 * YEAR_S}; includeSubDomains`,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
  };
}

/** The headers that Azure Static Web Apps sends for a path under this configuration. */
export function headersOf(configuration: SiteConfiguration, path: string): Record<string, string> {
  const rule = configuration.routes.find(({ route }) => matches(route, path));
  return { ...configuration.globalHeaders, ...rule?.headers };
}

/** Whether a path that is no file is answered with the fallback page instead of 404. */
export function fallsBack({ navigationFallback }: SiteConfiguration, path: string): boolean {
  return !navigationFallback.exclude.some((pattern) => matches(pattern, path));
}

/** `*` stands only at the end. */
const matches = (pattern: string, path: string): boolean =>
  pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
