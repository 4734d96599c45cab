// The resources of every benched server. Exactly one `~` stands in each notification and each read
// result, so a client can count them byte by byte, however the bytes are cut into chunks.

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
