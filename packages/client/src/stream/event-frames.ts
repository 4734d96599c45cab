// Server-sent events out of the body of a response, as they arrive.
import { type EventSourceMessage, createParser } from 'eventsource-parser';

type EventFrame = Pick<EventSourceMessage, 'id' | 'data'>;

/**
 * The frames of an event stream, as they come. `received` is called for all that comes, comments included; default:
 * nothing is called.
 *
 * @example
 * for await (const { id, data } of eventFrames(response.body)) console.log(id, data);
 */
export async function* eventFrames(
  body: ReadableStream<Uint8Array>,
  received: () => void = () => undefined,
): AsyncGenerator<EventFrame, void> {
  let frames: EventFrame[] = [];
  const parser = createParser({ onEvent: ({ id, data }) => void frames.push({ id, data }) });
  const decoder = new TextDecoder();
  // A reader, because some browsers cannot iterate over a stream.
  const reader = body.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      received();
      parser.feed(decoder.decode(next.value, { stream: true }));
      const complete = frames;
      frames = [];
      yield* complete;
    }
  } finally {
    // When the consumer stops, the request is ended.
    reader.cancel().catch(() => undefined);
  }
}
