/** Base address of the gateway; dev/portal/serve.ts puts it in. */
declare const __GATEWAY_URL__: string;
