// The inline constraints of ASP.NET Core routes: dotnet/aspnetcore, src/Http/Routing/src/Constraints/.

export type Constraint = (value: string) => boolean;

const INTEGER = /^\s*[+-]?\d+\s*$/;
const DECIMAL = /^\s*[+-]?(?:\d[\d,]*\.?\d*|\.\d+)\s*$/;
const FLOAT = /^\s*(?:[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?(?:Infinity|∞)|NaN)\s*$/i;
const HYPHENATED = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
const GUID = new RegExp(
  `^\\s*(?:[\\da-f]{32}|${HYPHENATED}|\\{${HYPHENATED}\\}|\\(${HYPHENATED}\\))\\s*$`,
  'i',
);

const INT_MAX = 2n ** 31n - 1n;
const LONG_MAX = 2n ** 63n - 1n;

/** By name; each takes exactly the listed number of whole numbers as arguments. */
const CONSTRAINTS: Record<
  string,
  { takes: number[]; holds: (value: string, ...numbers: bigint[]) => boolean }
> = {
  int: { takes: [0], holds: (value) => between(value, -INT_MAX - 1n, INT_MAX) },
  long: { takes: [0], holds: (value) => between(value, -LONG_MAX - 1n, LONG_MAX) },
  min: { takes: [1], holds: (value, low) => between(value, low!, LONG_MAX) },
  max: { takes: [1], holds: (value, high) => between(value, -LONG_MAX - 1n, high!) },
  range: { takes: [2], holds: (value, low, high) => between(value, low!, high!) },
  length: { takes: [1, 2], holds: (value, low, high = low) => value.length >= low! && value.length <= high! },
  minlength: { takes: [1], holds: (value, low) => value.length >= low! },
  maxlength: { takes: [1], holds: (value, high) => value.length <= high! },
  guid: { takes: [0], holds: (value) => GUID.test(value) },
  bool: { takes: [0], holds: (value) => /^\s*(?:true|false)\s*$/i.test(value) },
  alpha: { takes: [0], holds: (value) => /^[a-z]*$/i.test(value) },
  decimal: { takes: [0], holds: (value) => DECIMAL.test(value) },
  double: { takes: [0], holds: (value) => FLOAT.test(value) },
  float: { takes: [0], holds: (value) => FLOAT.test(value) },
  datetime: { takes: [0], holds: (value) => /\d/.test(value) && !Number.isNaN(Date.parse(value)) },
  required: { takes: [0], holds: (value) => value !== '' },
  file: { takes: [0], holds: (value) => /\.[^./]+$/.test(value) },
  nonfile: { takes: [0], holds: (value) => !/\.[^./]+$/.test(value) },
};

function between(value: string, low: bigint, high: bigint): boolean {
  if (!INTEGER.test(value)) return false;
  const number = BigInt(value.trim().replace('+', ''));
  return number >= low && number <= high;
}

/** Throws when there is no such constraint; `argument` is the text between its parentheses. */
export function createConstraint(name: string, argument: string | undefined): Constraint {
  const key = name.toLowerCase();
  if (key === 'regex' && argument !== undefined) {
    const pattern = new RegExp(argument, 'i');
    return (value) => pattern.test(value);
  }
  const numbers = argument === undefined ? [] : argument.split(',').map((part) => part.trim());
  const known = Object.hasOwn(CONSTRAINTS, key) ? CONSTRAINTS[key] : undefined;
  if (!known?.takes.includes(numbers.length) || !numbers.every((number) => /^[+-]?\d+$/.test(number))) {
    throw new Error(`there is no constraint "${name}${argument === undefined ? '' : `(${argument})`}"`);
  }
  const parsed = numbers.map((number) => BigInt(number.replace('+', '')));
  return (value) => known.holds(value, ...parsed);
}
