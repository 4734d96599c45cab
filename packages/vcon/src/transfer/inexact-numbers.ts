// Numbers that do not survive: JavaScript has 64-bit floats, JSON any number of digits.

export interface Inexact {
  written: string;
  kept: string;
}

/** The first number that would come back as another one. */
export function inexactNumber(json: string): Inexact | undefined {
  // Strings are jumped over: most of a document is in them.
  for (let from = 0; ;) {
    const opening = json.indexOf('"', from);
    const end = opening === -1 ? json.length : opening;
    // Between two fields there is mostly a comma or a colon.
    const inexact = end - from > 2 ? inexactIn(json.slice(from, end)) : undefined;
    if (inexact || opening === -1) return inexact;
    let closing = json.indexOf('"', opening + 1);
    while (closing !== -1 && isEscaped(json, closing)) closing = json.indexOf('"', closing + 1);
    if (closing === -1) return undefined;
    from = closing + 1;
  }
}

/** Fifteen digits are always kept, so a number that is not has more of them, or an exponent. */
const doubtful = /[\d.]{16}|\d[eE]/;

function inexactIn(between: string): Inexact | undefined {
  if (!doubtful.test(between)) return undefined;
  for (const [written] of between.matchAll(/-?\d[\d.eE+-]*/g)) {
    const value = Number(written);
    const kept = JSON.stringify(value);
    if (!Number.isFinite(value) || decimal(written) !== decimal(kept)) return { written, kept };
  }
  return undefined;
}

function isEscaped(json: string, quote: number): boolean {
  let at = quote - 1;
  while (json[at] === '\\') at -= 1;
  return (quote - 1 - at) % 2 === 1;
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
