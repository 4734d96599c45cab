// A number of bytes for people, such as 1.5 MB: the same in terminals and on the page.

const units = ['B', 'KB', 'MB', 'GB', 'TB'];

export function byteCount(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const amount = bytes / 1000 ** power;
  return `${power === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${units[power]}`;
}
