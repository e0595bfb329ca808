import type { MobileCase } from 'dermagate-client';

/** The case in a reply that leads to its page, so that its advice is there at once. */
let shown: MobileCase | undefined;

export function rememberCase(made: MobileCase): void {
  shown = made;
}

export const rememberedCase = (uuid: string): MobileCase | undefined =>
  shown?.uuid === uuid ? shown : undefined;

/** With the session. */
export function forgetCases(): void {
  shown = undefined;
}
