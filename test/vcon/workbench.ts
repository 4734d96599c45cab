// A vCon server with one client of either era, in a place of the test's own.
import type { LiveServer } from '@tidings/live';
import { type Era, type TestClient, connectMemory } from '@tidings/live/testing';
import { type Library, type VconServerOptions, openLibrary, vconServer } from '@tidings/vcon';

export interface Workbench extends AsyncDisposable {
  library: Library;
  server: LiveServer;
  client: TestClient;
  /** The JSON of a resource under `vcon://v1/vcons/`. */
  json(path: string): Promise<unknown>;
}

export const base = 'vcon://v1/vcons';

export async function workbench(
  place: string,
  { era = 'modern', ...options }: VconServerOptions & { era?: Era } = {},
): Promise<Workbench> {
  const library = await openLibrary(place);
  const server = vconServer(library, options);
  const client = await connectMemory(server, era);
  return {
    library,
    server,
    client,
    json: async (path) => JSON.parse(await client.read(`${base}/${path}`)),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await server.close();
    },
  };
}

/** The code and message of a read that must fail. */
export async function failure(reading: Promise<unknown>): Promise<{ code: unknown; message: string }> {
  try {
    await reading;
  } catch (error) {
    const { message, data }: { message: string; data?: { code?: unknown } } = Object(error);
    return { code: data?.code, message };
  }
  throw new Error('It did not fail.');
}

/** The conversation of the reference documentation. */
export const supportCall = {
  vcon: '0.3.0',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  created_at: '2025-10-14T10:30:00Z',
  updated_at: '2025-10-14T11:00:00Z',
  subject: 'Customer Support Call',
  parties: [
    { name: 'Agent Smith', mailto: 'smith@company.com' },
    { name: 'John Doe', tel: '+1-555-1234' },
  ],
  dialog: [
    { type: 'text', start: '2025-10-14T10:30:00Z', parties: [0, 1], body: 'Hello, how can I help you?' },
    { type: 'text', start: '2025-10-14T10:31:00Z', parties: [1], body: 'I need help with my account.' },
  ],
  analysis: [
    {
      type: 'sentiment',
      vendor: 'OpenAI',
      product: 'GPT-4',
      body: '{"sentiment": "positive", "score": 0.85}',
      encoding: 'json',
    },
    {
      type: 'summary',
      vendor: 'Anthropic',
      product: 'Claude-3.5',
      body: 'Customer inquired about account access.',
      encoding: 'none',
    },
    {
      type: 'transcript',
      vendor: 'Google Cloud',
      product: 'Speech-to-Text',
      dialog: [0],
      body: '{"transcript": "Hello, how can I help you?", "confidence": 0.98}',
      encoding: 'json',
    },
  ],
  attachments: [
    { type: 'tags', encoding: 'json', body: '["department:support", "priority:high"]' },
    {
      type: 'document',
      filename: 'invoice.pdf',
      mediatype: 'application/pdf',
      url: 'https://storage.example.com/invoice.pdf',
    },
  ],
};
