// A number of bytes for people, such as 1.5 MB: the same in terminals and on the page.

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

export function byteCount(bytes: number): string {
  // Rounded first: 999,950 bytes are 1.0 MB, not 1000 KB.
  const rounded = Number(bytes.toPrecision(3));
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, rounded)) / 3)));
  const amount = bytes / 1000 ** power;
  const isWhole = power === 0 || rounded / 1000 ** power >= 100;
  return `${isWhole ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}
