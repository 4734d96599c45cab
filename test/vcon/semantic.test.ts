// Search by meaning, against a local embeddings endpoint over real HTTP.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@tidings/live';
import { FakeClock, eventually } from '@tidings/live/testing';
import { type VconSettings, openVcon } from '@tidings/vcon';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddingServer, failing } from '../support/embedding-server.ts';
import { describeEngines } from './places.ts';
import { type Agent, agentOf } from './tool-agent.ts';

let folder: string;
let endpoint: EmbeddingServer;
let logged: string[];
const log: Log = {
  warn: (fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  error: (fields, message) => void logged.push(`${message} ${JSON.stringify(fields)}`),
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidings-semantic-'));
  endpoint = await EmbeddingServer.start({ automobile: 'car', vehicle: 'car', invoice: 'bill' });
  logged = [];
});

afterEach(async () => {
  await endpoint[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

class RecordingClock extends FakeClock {
  readonly delays: number[] = [];

  override after(ms: number, task: () => void) {
    this.delays.push(ms);
    return super.after(ms, task);
  }
}

type Calls = Pick<Agent, 'do' | 'call'>;
type Desk = Calls & AsyncDisposable;

async function desk(settings: Partial<VconSettings> = {}): Promise<Desk> {
  const server = await openVcon({ place: folder, embedUrl: endpoint.url, log, ...settings });
  return { ...(await agentOf(server)), [Symbol.asyncDispose]: () => server.close() };
}

async function subjects(agent: Calls, query: string, more: Record<string, unknown> = {}): Promise<string[]> {
  const { results } = await agent.do('search_vcons_semantic', { query, ...more });
  return Array.isArray(results) ? results.map(({ subject }) => subject) : [];
}

/** Waits until so many are found. */
async function embedded(agent: Calls, count: number): Promise<void> {
  await eventually(`${count} to be found`, async () => (await subjects(agent, 'any', { limit: 100 })).length === count);
}

describe('search by meaning', () => {
  it('finds similar texts in other words, the nearest first', async () => {
    await using agent = await desk();
    await agent.do('create_vcon', {
      subject: 'red car',
      dialog: [{ type: 'text', encoding: 'none', body: 'red car' }],
    });
    await agent.do('create_vcon', { subject: 'red shoes' });
    await agent.do('create_vcon', { subject: 'weather' });
    await embedded(agent, 3);
    const { results } = await agent.do('search_vcons_semantic', { query: 'red automobile' });
    expect(results).toMatchObject([
      { subject: 'red car', score: expect.any(Number), snippets: [{ where: 'dialog/0', text: 'red car' }] },
      { subject: 'red shoes', snippets: [] },
      { subject: 'weather' },
    ]);
    const [first] = Array.isArray(results) ? results : [];
    expect(first?.score).toBeCloseTo(1, 2);
    expect(await subjects(agent, 'vehicle', { threshold: 0.5 })).toEqual(['red car']);
    expect(await subjects(agent, 'vehicle', { limit: 1 })).toEqual(['red car']);
  });

  it('makes vectors of existing, new and changed vCons, and forgets deleted ones', async () => {
    const made: unknown[] = [];
    {
      await using agent = await desk({ embedUrl: undefined });
      for (let n = 0; n < 70; n += 1) made.push((await agent.do('create_vcon', { subject: `old ${n}` }))['uuid']);
    }
    await using agent = await desk();
    await embedded(agent, 70);
    expect(Math.max(...endpoint.requests.map(({ input }) => input.length))).toBeLessThanOrEqual(32);
    const { uuid } = await agent.do('create_vcon', { subject: 'fresh bread' });
    await embedded(agent, 71);
    await agent.do('update_vcon', { uuid, subject: 'broken car' });
    await eventually(
      'the new vector',
      async () => (await subjects(agent, 'vehicle', { limit: 1, threshold: 0.5 }))[0] === 'broken car',
    );
    await agent.do('delete_vcon', { uuid });
    expect(await subjects(agent, 'broken car', { limit: 100 })).not.toContain('broken car');
    await agent.do('delete_vcon', { uuid: made[0] });
    await embedded(agent, 69);
  });

  it('finds a changed vCon by its old vector until there is a new one', async () => {
    await using agent = await desk();
    const { uuid } = await agent.do('create_vcon', { subject: 'bread' });
    await embedded(agent, 1);
    endpoint.fault = ({ input }, response) => input.includes('car') && Boolean(response.writeHead(503).end());
    await agent.do('update_vcon', { uuid, subject: 'car' });
    await eventually('an attempt', () => endpoint.requests.some(({ input }) => input.includes('car')));
    expect(await subjects(agent, 'bread', { threshold: 0.9 })).toEqual(['car']);
  });

  it('serves several servers on one folder', async () => {
    await using one = await desk();
    await using two = await desk();
    for (let n = 0; n < 20; n += 1) await (n % 2 ? one : two).do('create_vcon', { subject: `call ${n}` });
    await embedded(one, 20);
    await embedded(two, 20);
    expect(logged).toEqual([]);
  });

  it('sends model and key, and texts of bounded length', async () => {
    await using agent = await desk({ embedModel: 'small', embedKey: 'secret-key' });
    await agent.do('create_vcon', {
      subject: 'long',
      dialog: [{ type: 'text', encoding: 'none', body: 'word '.repeat(100_000) }],
    });
    await embedded(agent, 1);
    for (const { model, authorization, input } of endpoint.requests) {
      expect([model, authorization]).toEqual(['small', 'Bearer secret-key']);
      expect(Math.max(...input.map((text) => text.length))).toBeLessThanOrEqual(8000);
    }
  });

  it('does not compare vectors of different models', async () => {
    {
      await using agent = await desk({ embedModel: 'one' });
      await agent.do('create_vcon', { subject: 'car' });
      await embedded(agent, 1);
    }
    endpoint.dimensions = 64;
    await using agent = await desk({ embedModel: 'two' });
    await embedded(agent, 1);
    expect(endpoint.requests.filter(({ model, input }) => model === 'two' && input.includes('car'))).toHaveLength(1);
  });

  it('joins words and meaning', async () => {
    await using agent = await desk();
    await agent.do('create_vcon', { subject: 'car sale' });
    await agent.do('create_vcon', { subject: 'automobile automobile' });
    await agent.do('create_vcon', { subject: 'rain' });
    await embedded(agent, 3);
    const hybrid = async (semantic_weight: number) => {
      const { results } = await agent.do('search_vcons_hybrid', { query: 'car', semantic_weight });
      return Array.isArray(results) ? results.map(({ subject }) => subject) : [];
    };
    expect(await hybrid(0)).toEqual(['car sale']);
    expect((await hybrid(1)).slice(0, 2)).toEqual(['automobile automobile', 'car sale']);
    expect(await hybrid(0.5)).toEqual(['car sale', 'automobile automobile', 'rain']);
  });

  it('compares what a redaction leaves, and nothing else', async () => {
    {
      await using agent = await desk();
      await agent.do('create_vcon', {
        subject: 'hidden',
        dialog: [{ type: 'text', encoding: 'none', body: 'car@example.com '.repeat(20) }],
      });
      await agent.do('create_vcon', { subject: 'plain', dialog: [{ type: 'text', encoding: 'none', body: 'a car' }] });
      await embedded(agent, 2);
      expect(await subjects(agent, 'car example com')).toEqual(['hidden', 'plain']);
    }
    const before = endpoint.requests.length;
    await using agent = await desk({ redact: 'contact-details' });
    await embedded(agent, 2);
    // What nothing is hidden of keeps its vector; of the rest, only what is left goes out.
    const given = endpoint.requests.slice(before).flatMap(({ input }) => input);
    expect(given.filter((text) => text.includes('plain'))).toEqual([]);
    expect(given.filter((text) => text.includes('hidden'))).toEqual([expect.not.stringContaining('car@')]);
    const { text, value } = await agent.call('search_vcons_semantic', { query: 'car example com' });
    expect(text).not.toContain('car@');
    expect(value).toMatchObject({
      results: [{ subject: 'plain' }, { subject: 'hidden', score: expect.closeTo(0, 1) }],
    });
  });
});

describe('search by meaning with other arguments', () => {
  const conversation = (subject: string, team: string, day: number) => ({
    subject,
    created_at: `2025-10-0${day}T12:00:00Z`,
    parties: [{ name: 'Ann', mailto: 'ann@example.com' }],
    attachments: [{ type: 'tags', encoding: 'json', body: [`team:${team}`] }],
  });

  it('keeps to tags, dates and parties, counts, and takes a vector', async () => {
    await using agent = await desk();
    await agent.do('create_vcon', conversation('red car', 'sales', 1));
    await agent.do('create_vcon', conversation('red automobile', 'support', 2));
    await agent.do('create_vcon', conversation('weather', 'sales', 3));
    await embedded(agent, 3);
    const near = (more: Record<string, unknown>) => subjects(agent, 'red vehicle', more);
    expect(await near({ tags: { team: 'sales' }, limit: 1 })).toEqual(['red car']);
    expect(await near({ start_date: '2025-10-02', end_date: '2025-10-02' })).toEqual(['red automobile']);
    expect(await near({ party_email: 'ann@', limit: 3 })).toHaveLength(3);
    expect(await near({ party_name: 'ann@' })).toEqual([]);
    const counted = { query: 'red vehicle', include_count: true, limit: 1, response_format: 'ids_only' };
    expect(await agent.do('search_vcons_semantic', { ...counted, threshold: 0.5 })).toMatchObject({
      count: 1,
      total_count: 2,
      results: [expect.stringMatching(/^[0-9a-f-]{36}$/)],
    });
    const embedding = endpoint.vectorOf('red vehicle');
    const { results } = await agent.do('search_vcons_semantic', { embedding, tags: { team: 'support' } });
    expect(results).toMatchObject([{ subject: 'red automobile', score: expect.closeTo(1, 2) }]);
    const asked = endpoint.requests.length;
    expect(await agent.do('search_vcons_hybrid', { query: 'red', embedding })).toMatchObject({
      searched_by: 'words and meaning',
      count: 3,
    });
    // The vector was given, so none is made.
    expect(endpoint.requests).toHaveLength(asked);
    const { code, text } = await agent.call('search_vcons_semantic', { embedding: [1, 2, 3] });
    expect([code, text]).toEqual(['INVALID_PARAMS', expect.stringContaining('3 numbers')]);
    expect(await agent.call('search_vcons_semantic', {})).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('compares them with what a redaction leaves', async () => {
    const server = await openVcon({ place: folder, embedUrl: endpoint.url, log });
    const open = await agentOf(server);
    await open.do('create_vcon', conversation('red car', 'sales', 1));
    const redacted = await agentOf(server, { subject: 'reader', redact: 'contact-details' });
    const both = [open, redacted];
    for (const agent of both) await embedded(agent, 1);
    const found = (more: Record<string, unknown>) => Promise.all(both.map((agent) => subjects(agent, 'car', more)));
    expect(await found({ party_email: 'ann@' })).toEqual([['red car'], []]);
    expect(await found({ party: 'example.com' })).toEqual([['red car'], []]);
    expect(await found({ party_name: 'ann', tags: { team: 'sales' } })).toEqual([['red car'], ['red car']]);
    const hidden = { query: 'car', party_email: 'ann@', include_count: true };
    for (const tool of ['search_vcons_semantic', 'search_vcons_hybrid']) {
      expect(await redacted.do(tool, hidden)).toMatchObject({ count: 0, total_count: 0 });
    }
    await server.close();
  });
});

describe('search by meaning under a redaction', () => {
  it('does not let a hidden text be near, however many others there are', async () => {
    await using open = await desk();
    await open.do('create_vcon', {
      subject: 'hidden',
      dialog: [{ type: 'text', encoding: 'none', body: 'car@example.com '.repeat(20) }],
    });
    for (let n = 0; n < 12; n += 1) await open.do('create_vcon', { subject: `plain ${n}` });
    await embedded(open, 13);
    expect(await subjects(open, 'car example com', { limit: 1 })).toEqual(['hidden']);
    await using redacted = await desk({ redact: 'contact-details' });
    await embedded(redacted, 13);
    // Among the nearest few it would stand first, by what is hidden.
    expect(await subjects(redacted, 'car example com', { limit: 1 })).not.toEqual(['hidden']);
    expect(await subjects(redacted, 'car example com', { threshold: 0.5 })).toEqual([]);
  });

  it('makes vectors for a caller whose credentials name a redaction, from the first search on', async () => {
    const server = await openVcon({ place: folder, embedUrl: endpoint.url, log });
    const open = await agentOf(server);
    await open.do('create_vcon', { subject: 'car of ann@example.com' });
    const redacted = await agentOf(server, { subject: 'reader', redact: 'contact-details' });
    await embedded(redacted, 1);
    const given = endpoint.requests.flatMap(({ input }) => input);
    expect(given).toContain('car of [redacted]');
    await open.do('create_vcon', { subject: 'bread' });
    await embedded(redacted, 2);
    await server.close();
  });
});

describe('an endpoint that fails', () => {
  it.each([
    ['500', (times: number) => failing(times, (response) => response.writeHead(500).end('oh'))],
    ['429', (times: number) => failing(times, (response) => response.writeHead(429, { 'retry-after': '1' }).end())],
    ['a cut connection', (times: number) => failing(times, (response) => response.destroy())],
  ])('is asked again after %s', async (_, fault) => {
    await using agent = await desk();
    endpoint.fault = fault(2);
    expect(await subjects(agent, 'car')).toEqual([]);
    endpoint.fault = fault(1);
    await agent.do('create_vcon', { subject: 'car' });
    await embedded(agent, 1);
  });

  it('is distinguished from one that answers with something else', async () => {
    await using agent = await desk();
    endpoint.fault = (_, response) => Boolean(response.end('<html>hello</html>'));
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    expect([code, text]).toEqual(['UNAVAILABLE', expect.stringContaining('no embeddings')]);
    await agent.do('create_vcon', { subject: 'car' });
    await eventually('a report', () => logged.length > 0);
    endpoint.fault = () => false;
    await embedded(agent, 1);
  });

  it('does not store vectors of another length', async () => {
    await using agent = await desk();
    await agent.do('create_vcon', { subject: 'car' });
    await embedded(agent, 1);
    endpoint.dimensions = 3;
    await agent.do('create_vcon', { subject: 'bread' });
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    expect([code, text]).toEqual(['UNAVAILABLE', expect.stringMatching(/3 numbers.*256.*TIDINGS_EMBED_MODEL/)]);
    await eventually('a report', () => logged.some((line) => line.includes('3 numbers')));
    endpoint.dimensions = 256;
    await embedded(agent, 2);
  });

  it('is not waited for longer than its timeout, and closing does not wait for it', async () => {
    const clock = new FakeClock(Date.parse('2025-10-14T00:00:00Z'));
    await using agent = await desk({ clock });
    endpoint.fault = () => true;
    await agent.do('create_vcon', { subject: 'car' });
    const asking = agent.call('search_vcons_semantic', { query: 'car' });
    await eventually('both requests', () => endpoint.requests.length === 2);
    clock.advance(20_000);
    expect(await asking).toMatchObject({ code: 'UNAVAILABLE', text: expect.stringContaining('20 s') });
    // The worker tries again, and hangs when the server is closed.
    await eventually('another attempt', () => {
      clock.advance(1000);
      return endpoint.requests.length > 2;
    });
  });

  it('is left alone for longer and longer while it is away', async () => {
    const clock = new RecordingClock(Date.parse('2025-10-14T00:00:00Z'));
    await using agent = await desk({ clock });
    endpoint.fault = (_, response) => Boolean(response.writeHead(500).end());
    await agent.do('create_vcon', { subject: 'car' });
    const pauses = await eventually('five attempts', () => {
      clock.advance(1000);
      // All other waiting here is for answers.
      const found = clock.delays.filter((ms) => ms !== 20_000);
      return found.length === 5 && found;
    });
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000]);
    // Told once, however often it fails.
    expect(logged).toHaveLength(1);
    endpoint.fault = () => false;
    await eventually('the vector', async () => {
      clock.advance(16_000);
      return (await subjects(agent, 'car')).length === 1;
    });
  });

  it.each([400, 500])(
    'gets shorter texts where it answers long ones with %i, and goes on without those it never takes',
    async (status) => {
      await using agent = await desk();
      endpoint.fault = ({ input }, response) =>
        input.some((text) => text.length > 2500 || text.includes('poison')) &&
        Boolean(response.writeHead(status).end());
      await agent.do('create_vcon', { subject: 'poison' });
      await agent.do('create_vcon', {
        subject: 'car',
        dialog: [{ type: 'text', encoding: 'none', body: 'car '.repeat(5000) }],
      });
      await agent.do('create_vcon', { subject: 'bread' });
      await embedded(agent, 2);
      expect(await subjects(agent, 'car', { limit: 1 })).toEqual(['car']);
      await eventually('a report', () => logged.length > 0);
      expect(logged).toEqual([expect.stringContaining('refuses its text')]);
    },
  );

  it('gets its key in the header only, and no error contains it', async () => {
    await using agent = await desk({ embedKey: 'secret-key' });
    endpoint.fault = ({ authorization }, response) =>
      Boolean(
        response.writeHead(401).end(JSON.stringify({ error: { message: `Incorrect API key: ${authorization}` } })),
      );
    await agent.do('create_vcon', { subject: 'car' });
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    expect([code, text]).toEqual(['UNAVAILABLE', expect.stringContaining('TIDINGS_EMBED_KEY')]);
    await eventually('a report', () => logged.length > 0);
    expect(text + logged.join()).not.toContain('secret');
  });

  it('is refused at once if its address cannot be one', async () => {
    for (const embedUrl of ['nowhere', 'ftp://x/', 'http://user:secret-word@127.0.0.1/']) {
      const opening = openVcon({ place: folder, embedUrl });
      await expect(opening).rejects.toThrow('TIDINGS_EMBED_URL');
      await expect(opening).rejects.not.toThrow('secret-word');
    }
  });

  it('is needed by searches by meaning only', async () => {
    await using agent = await desk({ embedUrl: undefined });
    await agent.do('create_vcon', { subject: 'car' });
    for (const args of [{ query: 'car' }, { embedding: [1, 0] }]) {
      const { code, text } = await agent.call('search_vcons_semantic', args);
      expect([code, text]).toEqual(['UNAVAILABLE', expect.stringContaining('TIDINGS_EMBED_URL')]);
    }
    expect(await agent.do('search_vcons_hybrid', { query: 'car' })).toMatchObject({
      count: 1,
      searched_by: 'words',
      note: expect.stringContaining('TIDINGS_EMBED_URL'),
    });
    expect(await agent.do('search_vcons_content', { query: 'car' })).toMatchObject({ count: 1 });
  });
});

describeEngines('search by meaning', (newPlace) => {
  it('works if vectors can be compared, and otherwise says what is missing', async () => {
    await using agent = await desk({ place: await newPlace() });
    for (const subject of ['red car', 'bread', 'rain']) await agent.do('create_vcon', { subject });
    await eventually('the vectors', () => endpoint.requests.some(({ input }) => input.includes('rain')));
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    if (code === 'UNAVAILABLE') {
      expect(text).toContain('pgvector');
      expect(logged).toEqual([]);
      return;
    }
    await embedded(agent, 3);
    expect(await subjects(agent, 'a red automobile', { limit: 2, threshold: 0.3 })).toEqual(['red car']);
  });
});
