import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from 'playwright-core';
import { isChromiumPackaged, unpackChromium } from './packaged-chromium.ts';

/** The headless shell, a package of its own in Debian, needs a fifth less CPU time for the same pages. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const onMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/**
 * The one on the PATH; on Linux x64, where the packages bring one, undefined, so that what is installed there changes nothing.
 */
function installedChromium({ PATH: path = '' }: NodeJS.ProcessEnv): string | undefined {
  if (isChromiumPackaged) return undefined;
  const found = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return [...found, onMac].find((place) => existsSync(place));
}

/** @throws when CHROMIUM names no file. */
function namedChromium({ CHROMIUM }: NodeJS.ProcessEnv): string | undefined {
  const named = CHROMIUM || undefined;
  if (named !== undefined && !existsSync(named))
    throw new Error(`CHROMIUM=${named} is no file. Name a Chromium or Chrome, or unset it.`);
  return named;
}

/** Whether there is a Chromium or Chrome: one that CHROMIUM names, that the packages bring, or that is on the PATH. */
export const hasChromium = (env = process.env): boolean =>
  (namedChromium(env) ?? installedChromium(env)) !== undefined || isChromiumPackaged;

/** Chromium counts only the last `--disable-features`, which is ours: these are the features that Playwright disables. */
const disabledByPlaywright = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
];
/** Pages of the address bar, loaded for every window although headless shows none: a fifth of the CPU time. */
const addressBar = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'];
export const disabledFeatures: readonly string[] = [...disabledByPlaywright, ...addressBar];
/**
 * Pages are painted in the browser's own process, without an emulated graphics card: a third less CPU time for the same
 * pages. None of ours draws in 3D.
 */
const withoutGraphicsCard = ['--disable-gpu', '--disable-software-rasterizer', '--in-process-gpu'];
/** For every start of Chromium. Without hinting a letter is as wide on every machine. */
const usualArgs: readonly string[] = [
  `--disable-features=${disabledFeatures.join()}`,
  '--font-render-hinting=none',
  ...withoutGraphicsCard,
];

/** @throws when there is none. */
export async function openChromium(args: readonly string[] = []): Promise<Browser> {
  return await startChromium((options) => chromium.launch(options), args);
}

/** With a profile in this folder. @throws when there is none. */
export async function openChromiumProfile(folder: string): Promise<BrowserContext> {
  return await startChromium((options) => chromium.launchPersistentContext(folder, options), []);
}

/** In its sandbox, except as root or where the machine forbids one; it opens only our own pages. */
async function startChromium<T>(
  start: (options: LaunchOptions) => Promise<T>,
  args: readonly string[],
): Promise<T> {
  const options = { ...(await findChromium()), args: [...args, ...usualArgs] };
  if (process.getuid?.() === 0) return await start(options);
  try {
    return await start({ ...options, chromiumSandbox: true });
  } catch (error) {
    if (!(error instanceof Error && /sandbox/i.test(error.message))) throw error;
    return await start(options);
  }
}

async function findChromium(): Promise<LaunchOptions> {
  const env = { ...process.env, FONTCONFIG_FILE: join(import.meta.dirname, 'fonts.conf') };
  const ofMachine = namedChromium(process.env) ?? installedChromium(process.env);
  if (ofMachine !== undefined) return { executablePath: ofMachine, env };
  if (!isChromiumPackaged) throw new Error('There is no Chromium. Install one, or name it: CHROMIUM=path');
  const { executablePath, libraries } = await unpackChromium();
  const { LD_LIBRARY_PATH: others } = process.env;
  return { executablePath, env: { ...env, LD_LIBRARY_PATH: [libraries, others].filter(Boolean).join(':') } };
}
