// The resources of every benched server. Each notification and each read result contains exactly one `~`, so that a
// client can count them byte by byte, however the bytes are split into chunks.

export const template = 'bench://item/{name}';
export const value = { celsius: 21.5, station: 'Oslo', measured: '2026-07-28T12:00:00.000Z' };
export const mark = 0x7e;

export function nameOf(item) {
  return `~${item}`;
}

export function uriOf(item) {
  return `bench://item/${nameOf(item)}`;
}

export function firstItems(count) {
  return Array.from({ length: count }, (_, item) => item);
}
