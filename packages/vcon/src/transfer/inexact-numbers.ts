// Numbers that lose digits: JavaScript has 64-bit floats, JSON numbers have any number of digits.

export interface Inexact {
  written: string;
  kept: string;
}

/** The value of a number after parsing, if it differs from what is written. */
export function inexactNumber(written: string): Inexact | undefined {
  // Up to fifteen digits are exact, so an inexact number has more digits or an exponent.
  if (written.length < 16 && !/e/i.test(written)) return undefined;
  const value = Number(written);
  const kept = JSON.stringify(value);
  return Number.isFinite(value) && decimal(written) === decimal(kept) ? undefined : { written, kept };
}

/** A normal form for all spellings of a number: its digits, and the position of the point. */
function decimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
