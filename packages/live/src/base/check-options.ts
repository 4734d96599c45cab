// Checks the options of a program when it starts, so that a mistake is reported there and not found later as a server
// that never answers. Types do not help plain JavaScript, and cannot bound numbers.
import { bySimilarity } from './by-similarity.ts';
import { jsonOf } from './json-of.ts';
import { isObject } from '../portable/is-object.ts';
import { longestDelayMs } from '../time/clock.ts';
import { shownValue } from './shown-value.ts';

export interface Check {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

/**
 * `options` may have only the names in `checks`. An undefined value counts as absent; a `required` option must be
 * present.
 */
export function checkOptions(
  owner: string,
  options: unknown,
  checks: Readonly<Record<string, Check>>,
  required: readonly string[] = [],
): void {
  if (!isObject(options)) throw new TypeError(`${owner} needs an object of options, and got ${shownValue(options)}.`);
  for (const name of required) {
    if (Reflect.get(options, name) !== undefined) continue;
    throw new TypeError(`${owner} needs "${name}": ${checks[name]?.expected ?? 'a value'}.`);
  }
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      throw new TypeError(`${owner} has no option "${name}": ${suggestion(name, Object.keys(checks))}`);
    }
    if (value !== undefined && !check.accepts(value)) {
      throw new TypeError(`${owner}: "${name}" must be ${check.expected}, and is ${shownValue(value)}.`);
    }
  }
}

/** " Did you mean …?" with the nearest of `names`: `input` for `inputSchema`, `windowMs` for `windowms`. */
export function suggestion(name: string, names: readonly string[]): string {
  const [nearest] = bySimilarity(name, names);
  // Two letters are most of a short name, so it needs a closer match.
  const isNear = nearest !== undefined && nearest.distance <= Math.min(2, Math.floor(name.length / 2));
  const meant = names.find((known) => name.startsWith(known)) ?? (isNear ? nearest.name : undefined);
  return meant === undefined ? `it takes ${names.join(', ')}.` : `did you mean "${meant}"?`;
}

/** Checks a value that is not an option, such as a name. */
export function checkValue(what: string, value: unknown, { expected, accepts }: Check): void {
  if (!accepts(value)) throw new TypeError(`${what} must be ${expected}, and is ${shownValue(value)}.`);
}

export const anything: Check = { expected: 'any value', accepts: () => true };

export const aBoolean: Check = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' };

export const aText: Check = {
  expected: 'a text that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};

export const aString: Check = { expected: 'a text', accepts: (value) => typeof value === 'string' };

export const aList: Check = { expected: 'a list', accepts: (value) => Array.isArray(value) };

export const texts: Check = {
  expected: 'a list of texts',
  accepts: (value) => Array.isArray(value) && value.every((each) => aText.accepts(each)),
};

export const aFunction: Check = { expected: 'a function', accepts: (value) => typeof value === 'function' };

export const anObject: Check = { expected: 'an object', accepts: isObject };

/** A value without JSON, such as a BigInt, would fail when it is sent, and leave the client waiting. */
export const aJsonObject: Check = {
  expected: 'an object that has JSON',
  accepts: (value) => anObject.accepts(value) && hasJson(value),
};

export const functions: Check = {
  expected: 'an object of functions',
  accepts: (value) => anObject.accepts(value) && Object.values(Object(value)).every((each) => aFunction.accepts(each)),
};

export const milliseconds: Check = {
  expected: `a number of milliseconds from 0 to ${longestDelayMs}`,
  accepts: (value) => typeof value === 'number' && value >= 0 && value <= longestDelayMs,
};

export const aCount: Check = {
  expected: 'a whole number from 1 on, or Infinity',
  accepts: (value) => typeof value === 'number' && value >= 1 && (Number.isInteger(value) || value === Infinity),
};

export const aPort: Check = {
  expected: 'a whole number from 0 to 65535',
  accepts: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535,
};

export const aPath: Check = {
  expected: 'a path that starts with "/"',
  accepts: (value) => typeof value === 'string' && value.startsWith('/'),
};

export function oneOf(...values: readonly unknown[]): Check {
  return {
    expected: values.map((value) => JSON.stringify(value)).join(' or '),
    accepts: (value) => values.includes(value),
  };
}

/** An object with these functions, such as a log. */
export function having(...methods: readonly string[]): Check {
  return {
    expected: `an object with ${methods.map((name) => `${name}()`).join(' and ')}`,
    accepts: (value) => isObject(value) && methods.every((name) => typeof Reflect.get(value, name) === 'function'),
  };
}

export function either(one: Check, other: Check): Check {
  return {
    expected: `${one.expected} or ${other.expected}`,
    accepts: (value) => one.accepts(value) || other.accepts(value),
  };
}

function hasJson(value: unknown): boolean {
  try {
    return jsonOf(value) !== undefined;
  } catch {
    return false;
  }
}
