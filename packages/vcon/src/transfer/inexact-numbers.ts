// Numbers that do not survive: JavaScript has 64-bit floats, JSON any number of digits.

export interface Inexact {
  written: string;
  kept: string;
}

/** The first number that would come back as another one. */
export function inexactNumber(json: string): Inexact | undefined {
  for (const between of outsideStrings(json)) {
    for (const [written] of between.matchAll(/-?\d[\d.eE+-]*/g)) {
      // Fifteen digits are always kept.
      if (written.length <= 15 && !/e/i.test(written)) continue;
      const value = Number(written);
      const kept = JSON.stringify(value);
      if (!Number.isFinite(value) || decimal(written) !== decimal(kept)) return { written, kept };
    }
  }
  return undefined;
}

/** Strings are jumped over: most of a document is in them. */
function* outsideStrings(json: string): Iterable<string> {
  let from = 0;
  for (;;) {
    const opening = json.indexOf('"', from);
    if (opening === -1) break;
    if (opening - from > 1) yield json.slice(from, opening);
    let closing = json.indexOf('"', opening + 1);
    while (closing !== -1 && isEscaped(json, closing)) closing = json.indexOf('"', closing + 1);
    if (closing === -1) return;
    from = closing + 1;
  }
  yield json.slice(from);
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
