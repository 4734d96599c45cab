// Search by meaning, with a local embeddings endpoint over real HTTP.
import { eventually } from '@tidings/live/testing';
import { openVcon } from '@tidings/vcon';
import { describe, expect, it } from 'vitest';
import { EmbeddingBench, embedded, subjects } from './embedding-bench.ts';
import { describeEngines } from './places.ts';
import { agentOf } from './tool-agent.ts';

const bench = new EmbeddingBench();

describe('search by meaning', () => {
  it('finds similar texts in other words, nearest first', async () => {
    await using agent = await bench.desk();
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

  it('makes vectors of existing, new and changed vCons, and does not find deleted ones', async () => {
    const made: unknown[] = [];
    {
      await using agent = await bench.desk({ embedUrl: undefined });
      for (let n = 0; n < 70; n += 1) made.push((await agent.do('create_vcon', { subject: `old ${n}` }))['uuid']);
    }
    await using agent = await bench.desk();
    await embedded(agent, 70);
    expect(Math.max(...bench.endpoint.requests.map(({ input }) => input.length))).toBeLessThanOrEqual(32);
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

  it('finds a changed vCon by its old vector until the new one is stored', async () => {
    await using agent = await bench.desk();
    const { uuid } = await agent.do('create_vcon', { subject: 'bread' });
    await embedded(agent, 1);
    bench.endpoint.fault = ({ input }, response) => input.includes('car') && Boolean(response.writeHead(503).end());
    await agent.do('update_vcon', { uuid, subject: 'car' });
    await eventually('an attempt', () => bench.endpoint.requests.some(({ input }) => input.includes('car')));
    expect(await subjects(agent, 'bread', { threshold: 0.9 })).toEqual(['car']);
  });

  it('serves several servers on one folder', async () => {
    await using one = await bench.desk();
    await using two = await bench.desk();
    for (let n = 0; n < 20; n += 1) await (n % 2 ? one : two).do('create_vcon', { subject: `call ${n}` });
    await embedded(one, 20);
    await embedded(two, 20);
    expect(bench.logged).toEqual([]);
  });

  it('sends model and key, and texts of bounded length', async () => {
    await using agent = await bench.desk({ embedModel: 'small', embedKey: 'secret-key' });
    await agent.do('create_vcon', {
      subject: 'long',
      dialog: [{ type: 'text', encoding: 'none', body: 'word '.repeat(100_000) }],
    });
    await embedded(agent, 1);
    for (const { model, authorization, input } of bench.endpoint.requests) {
      expect([model, authorization]).toEqual(['small', 'Bearer secret-key']);
      expect(Math.max(...input.map((text) => text.length))).toBeLessThanOrEqual(8000);
    }
  });

  it('does not compare vectors of different models', async () => {
    {
      await using agent = await bench.desk({ embedModel: 'one' });
      await agent.do('create_vcon', { subject: 'car' });
      await embedded(agent, 1);
    }
    bench.endpoint.dimensions = 64;
    await using agent = await bench.desk({ embedModel: 'two' });
    await embedded(agent, 1);
    expect(bench.endpoint.requests.filter(({ model, input }) => model === 'two' && input.includes('car'))).toHaveLength(
      1,
    );
  });

  it('combines search by words and by meaning', async () => {
    await using agent = await bench.desk();
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

  it('compares only redacted text', async () => {
    {
      await using agent = await bench.desk();
      await agent.do('create_vcon', {
        subject: 'hidden',
        dialog: [{ type: 'text', encoding: 'none', body: 'car@example.com '.repeat(20) }],
      });
      await agent.do('create_vcon', { subject: 'plain', dialog: [{ type: 'text', encoding: 'none', body: 'a car' }] });
      await embedded(agent, 2);
      expect(await subjects(agent, 'car example com')).toEqual(['hidden', 'plain']);
    }
    const before = bench.endpoint.requests.length;
    await using agent = await bench.desk({ redact: 'contact-details' });
    await embedded(agent, 2);
    // A vCon without hidden text keeps its vector; of the others, only redacted text is sent.
    const given = bench.endpoint.requests.slice(before).flatMap(({ input }) => input);
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

  it('filters by tags, dates and parties, counts, and accepts a vector', async () => {
    await using agent = await bench.desk();
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
    const embedding = bench.endpoint.vectorOf('red vehicle');
    const { results } = await agent.do('search_vcons_semantic', { embedding, tags: { team: 'support' } });
    expect(results).toMatchObject([{ subject: 'red automobile', score: expect.closeTo(1, 2) }]);
    const asked = bench.endpoint.requests.length;
    expect(await agent.do('search_vcons_hybrid', { query: 'red', embedding })).toMatchObject({
      searched_by: 'words and meaning',
      count: 3,
    });
    // With a given vector, none is requested.
    expect(bench.endpoint.requests).toHaveLength(asked);
    const { code, text } = await agent.call('search_vcons_semantic', { embedding: [1, 2, 3] });
    expect([code, text]).toEqual(['INVALID_PARAMS', expect.stringContaining('3 numbers')]);
    expect(await agent.call('search_vcons_semantic', {})).toMatchObject({ code: 'INVALID_PARAMS' });
  });

  it('applies them to redacted content', async () => {
    const server = await openVcon(bench.settings);
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
  it('does not rank a vCon by its hidden text among any number of others', async () => {
    await using open = await bench.desk();
    await open.do('create_vcon', {
      subject: 'hidden',
      dialog: [{ type: 'text', encoding: 'none', body: 'car@example.com '.repeat(20) }],
    });
    for (let n = 0; n < 12; n += 1) await open.do('create_vcon', { subject: `plain ${n}` });
    await embedded(open, 13);
    expect(await subjects(open, 'car example com', { limit: 1 })).toEqual(['hidden']);
    await using redacted = await bench.desk({ redact: 'contact-details' });
    await embedded(redacted, 13);
    // By its hidden text it would be the nearest.
    expect(await subjects(redacted, 'car example com', { limit: 1 })).not.toEqual(['hidden']);
    expect(await subjects(redacted, 'car example com', { threshold: 0.5 })).toEqual([]);
  });

  it('makes vectors for the redaction of a caller from its first search on', async () => {
    const server = await openVcon(bench.settings);
    const open = await agentOf(server);
    await open.do('create_vcon', { subject: 'car of ann@example.com' });
    const redacted = await agentOf(server, { subject: 'reader', redact: 'contact-details' });
    await embedded(redacted, 1);
    const given = bench.endpoint.requests.flatMap(({ input }) => input);
    expect(given).toContain('car of [redacted]');
    await open.do('create_vcon', { subject: 'bread' });
    await embedded(redacted, 2);
    await server.close();
  });
});

describeEngines('search by meaning', (newPlace) => {
  it('works if the engine can compare vectors, and otherwise names the missing extension', async () => {
    await using agent = await bench.desk({ place: await newPlace() });
    for (const subject of ['red car', 'bread', 'rain']) await agent.do('create_vcon', { subject });
    await eventually('the vectors', () => bench.endpoint.requests.some(({ input }) => input.includes('rain')));
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    if (code === 'UNAVAILABLE') {
      expect(text).toContain('pgvector');
      expect(bench.logged).toEqual([]);
      return;
    }
    await embedded(agent, 3);
    expect(await subjects(agent, 'a red automobile', { limit: 2, threshold: 0.3 })).toEqual(['red car']);
  });
});
