// The entry point of the function app: reads the environment and registers what the app serves, nothing else.
import { hostname } from 'node:os';
import { app as functions } from '@azure/functions';
import { type App, createApp } from './app.ts';
import { ConfigError, readConfig } from './lib/configuration/config.ts';
import { createLog, type LogLevel } from './lib/telemetry/log.ts';

const write = (level: LogLevel, line: string) => console[level](line);
const { WEBSITE_SITE_NAME: role = 'dermagate', WEBSITE_INSTANCE_ID: instance = hostname() } = process.env;

const { endpoints, timers, close } = startApp();
for (const { name, ...options } of endpoints) functions.http(name, options);
for (const { name, ...options } of timers) functions.timer(name, options);
functions.hook.appTerminate(close);

/**
 * Builds the app. An unusable configuration is logged in one line, which an alert matches, and thrown: the host then serves
 * no function. process.exit would lose the line: the host waits 30 s for the ended process and then recycles the
 * instance before it forwards the log (azure-functions-host, StandbyManager.cs).
 */
function startApp(): App {
  try {
    return createApp(readConfig(process.env), { write, role, instance });
  } catch (error) {
    const log = createLog(write);
    if (error instanceof ConfigError) log.error('configuration_unusable', { error: error.message });
    throw error;
  }
}
