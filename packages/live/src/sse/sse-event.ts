// The text of server-sent events.

/** `json` is one line. Clients resume after the last `id` they received. */
export function sseEvent(json: string, { id, event }: { id?: string | undefined; event?: string } = {}): string {
  const idLine = id === undefined ? '' : `id: ${id}\n`;
  const eventLine = event === undefined ? '' : `event: ${event}\n`;
  return `${idLine}${eventLine}data: ${json}\n\n`;
}

/** How long the client is to wait before it connects again. */
export function sseRetry(ms: number): string {
  return `retry: ${ms}\n\n`;
}

/** An event with one MCP message, under the name that the SDK uses too. */
export function messageEvent(json: string): string {
  return messageEventHead(json) + messageEventTail;
}

/** The same, of which a part of the message and `messageEventTail` are still to be written. */
export function messageEventHead(json: string): string {
  return `event: message\ndata: ${json}`;
}

export const messageEventTail = '\n\n';
