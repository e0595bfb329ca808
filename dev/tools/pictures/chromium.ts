import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell, a package of its own in Debian, needs a fifth less CPU time for the same pages. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];
const onMac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** The Chromium or Chrome named by CHROMIUM, else one on the PATH; undefined without one. */
export function chromiumPath(): string | undefined {
  const { CHROMIUM: named, PATH: path = '' } = process.env;
  const found = path.split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return (named ? [named] : [...found, onMac]).find((place) => existsSync(place));
}

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
/** For every start of Chromium. */
export const chromiumArgs: readonly string[] = [`--disable-features=${disabledFeatures.join()}`];

/** In its sandbox, except as root or where the machine forbids one; it opens only our own pages. */
export async function openChromium(executablePath: string, given: string[] = []): Promise<Browser> {
  const args = [...given, ...chromiumArgs];
  if (process.getuid?.() === 0) return await chromium.launch({ executablePath, args });
  try {
    return await chromium.launch({ executablePath, args, chromiumSandbox: true });
  } catch (error) {
    if (!(error instanceof Error && /sandbox/i.test(error.message))) throw error;
    return await chromium.launch({ executablePath, args });
  }
}
