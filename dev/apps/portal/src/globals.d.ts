/** Base address of the gateway; dev/apps/portal/serve.ts inserts it. */
declare const __GATEWAY_URL__: string;
/** Of the portal, as in `package.json`. */
declare const __VERSION__: string;
