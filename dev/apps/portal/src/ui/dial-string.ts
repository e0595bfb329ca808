/** The number as a telephone dials it, without the separators between its digits. */
export const dialString = (number: string): string => number.replaceAll(/[^\d+*#]/g, '');
