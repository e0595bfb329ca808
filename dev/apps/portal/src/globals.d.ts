/** Base address of the gateway; dev/apps/portal/serve.ts puts it in. */
declare const __GATEWAY_URL__: string;
