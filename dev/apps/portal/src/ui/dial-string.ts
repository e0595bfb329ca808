/** What a telephone dials: separators that people write between the digits are none of it. */
export const dialString = (number: string): string => number.replaceAll(/[^\d+*#]/g, '');
