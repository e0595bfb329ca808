/** A text with a space for each control character but the line break: the gateway refuses them, and pasted tables have tabs. */
export const withoutControls = (text: string): string => text.replaceAll(/(?!\n)\p{Cc}/gu, ' ');
