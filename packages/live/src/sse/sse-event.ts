// The text of one server-sent event.

/** `json` is one line. Readers resume after the last `id` they saw. */
export function sseEvent(json: string, { id, event }: { id?: string | undefined; event?: string } = {}): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  const eventLine = event === undefined ? '' : `event: ${event}\n`;
  return `${idLine}${eventLine}data: ${json}\n\n`;
}
