// Whether a response is a stream of server-sent events.

/** Takes the value of the header Content-Type, which may be in capitals and have parameters. */
export function isEventStream(contentType: string | null | undefined): boolean {
  const [mediaType = ''] = contentType?.split(';', 1) ?? [];
  return mediaType.trim().toLowerCase() === 'text/event-stream';
}
