// Server-sent events out of the body of an answer, as they arrive.

export interface Frame {
  id: string | undefined;
  data: string;
}

/** `heard` is called for whatever comes, heartbeats included. */
export async function* framesOf(body: ReadableStream<Uint8Array>, heard: () => void): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    heard();
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    // What follows the last blank line is not whole yet.
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const frame = frameIn(block);
      if (frame) yield frame;
    }
  }
}

function frameIn(block: string): Frame | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('id: ')) id = line.slice('id: '.length);
    else if (line.startsWith('data: ')) data.push(line.slice('data: '.length));
  }
  return data.length > 0 ? { id, data: data.join('\n') } : undefined;
}
