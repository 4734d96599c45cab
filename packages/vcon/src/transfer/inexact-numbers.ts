// Numbers that do not survive: JavaScript has 64-bit floats, JSON any number of digits.

export interface Inexact {
  written: string;
  kept: string;
}

/** The value a written number would have after parsing, if that differs. */
export function inexactNumber(written: string): Inexact | undefined {
  // Up to fifteen digits are exact, so an inexact number has more digits or an exponent.
  if (written.length < 16 && !/e/i.test(written)) return undefined;
  const value = Number(written);
  const kept = JSON.stringify(value);
  return Number.isFinite(value) && decimal(written) === decimal(kept) ? undefined : { written, kept };
}

/** The same for all ways of writing one number: its digits, and where the point stands. */
function decimal(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}
