// Embeddings endpoints that fail, are slow or are missing.
import { FakeClock, eventually } from '@tidings/live/testing';
import { openVcon } from '@tidings/vcon';
import { describe, expect, it } from 'vitest';
import { failing } from '../support/counterpart/embedding-server.ts';
import { EmbeddingBench, embedded, subjects } from './embedding-bench.ts';

const bench = new EmbeddingBench();

class RecordingClock extends FakeClock {
  readonly delays: number[] = [];

  override after(ms: number, task: () => void) {
    this.delays.push(ms);
    return super.after(ms, task);
  }
}

describe('an endpoint that fails', () => {
  it.each([
    ['500', (times: number) => failing(times, (response) => response.writeHead(500).end('oh'))],
    ['429', (times: number) => failing(times, (response) => response.writeHead(429, { 'retry-after': '1' }).end())],
    ['a cut connection', (times: number) => failing(times, (response) => response.destroy())],
  ])('is requested again after %s', async (_, fault) => {
    await using agent = await bench.desk();
    bench.endpoint.fault = fault(2);
    expect(await subjects(agent, 'car')).toEqual([]);
    bench.endpoint.fault = fault(1);
    await agent.do('create_vcon', { subject: 'car' });
    await embedded(agent, 1);
  });

  it('is reported if it answers without embeddings, and used again when it does', async () => {
    await using agent = await bench.desk();
    bench.endpoint.fault = (_, response) => Boolean(response.end('<html>hello</html>'));
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    expect([code, text]).toEqual(['UNAVAILABLE', expect.stringContaining('no embeddings')]);
    await agent.do('create_vcon', { subject: 'car' });
    await eventually('a report', () => bench.logged.length > 0);
    bench.endpoint.fault = () => false;
    await embedded(agent, 1);
  });

  it('does not store vectors of another length', async () => {
    await using agent = await bench.desk();
    await agent.do('create_vcon', { subject: 'car' });
    await embedded(agent, 1);
    bench.endpoint.dimensions = 3;
    await agent.do('create_vcon', { subject: 'bread' });
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    expect([code, text]).toEqual(['UNAVAILABLE', expect.stringMatching(/3 numbers.*256.*TIDINGS_EMBED_MODEL/)]);
    await eventually('a report', () => bench.logged.some((line) => line.includes('3 numbers')));
    bench.endpoint.dimensions = 256;
    await embedded(agent, 2);
  });

  it('answers for a vCon that was deleted meanwhile: no other vCon gets its vector', async () => {
    await using agent = await bench.desk();
    let answer = () => {};
    bench.endpoint.fault = ({ input }, response) => {
      if (!input.includes('car')) return false;
      const data = [{ embedding: bench.endpoint.vectorOf('car') }];
      answer = () => void response.end(JSON.stringify({ data }));
      return true;
    };
    const { uuid } = await agent.do('create_vcon', { subject: 'car' });
    await eventually('the request', () => bench.endpoint.requests.length === 1);
    await agent.do('delete_vcon', { uuid });
    // On SQLite it has the same row id.
    await agent.do('create_vcon', { subject: 'bread' });
    answer();
    await eventually('its own request', () => bench.endpoint.requests.some(({ input }) => input.includes('bread')));
    await embedded(agent, 1);
    const { results } = await agent.do('search_vcons_semantic', { query: 'bread', threshold: 0.9 });
    expect(results).toMatchObject([{ subject: 'bread' }]);
  });

  it('is waited for up to a time limit, and not when the server closes', async () => {
    const clock = new FakeClock(Date.parse('2025-10-14T00:00:00Z'));
    await using agent = await bench.desk({ clock });
    bench.endpoint.fault = () => true;
    await agent.do('create_vcon', { subject: 'car' });
    const asking = agent.call('search_vcons_semantic', { query: 'car' });
    await eventually('both requests', () => bench.endpoint.requests.length === 2);
    clock.advance(20_000);
    expect(await asking).toMatchObject({ code: 'UNAVAILABLE', text: expect.stringContaining('20 s') });
    // The worker tries again, and is still waiting when the server closes.
    await eventually('another attempt', () => {
      clock.advance(1000);
      return bench.endpoint.requests.length > 2;
    });
  });

  it('is requested at growing intervals while it fails', async () => {
    const clock = new RecordingClock(Date.parse('2025-10-14T00:00:00Z'));
    await using agent = await bench.desk({ clock });
    bench.endpoint.fault = (_, response) => Boolean(response.writeHead(500).end());
    await agent.do('create_vcon', { subject: 'car' });
    const pauses = await eventually('five attempts', () => {
      clock.advance(1000);
      // The other delays are time limits of requests.
      const found = clock.delays.filter((ms) => ms !== 20_000);
      return found.length === 5 && found;
    });
    expect(pauses).toEqual([1000, 2000, 4000, 8000, 16_000]);
    // Logged once for all failures.
    expect(bench.logged).toHaveLength(1);
    bench.endpoint.fault = () => false;
    await eventually('the vector', async () => {
      clock.advance(16_000);
      return (await subjects(agent, 'car')).length === 1;
    });
  });

  it.each([400, 500])(
    'gets shorter texts if it refuses long ones with %i, and texts that it always refuses are skipped',
    async (status) => {
      await using agent = await bench.desk();
      bench.endpoint.fault = ({ input }, response) =>
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
      await eventually('a report', () => bench.logged.length > 0);
      expect(bench.logged).toEqual([expect.stringContaining('refuses its text')]);
    },
  );

  it('gets its key in the header only, and no error contains the key', async () => {
    await using agent = await bench.desk({ embedKey: 'secret-key' });
    bench.endpoint.fault = ({ authorization }, response) =>
      Boolean(
        response.writeHead(401).end(JSON.stringify({ error: { message: `Incorrect API key: ${authorization}` } })),
      );
    await agent.do('create_vcon', { subject: 'car' });
    const { code, text } = await agent.call('search_vcons_semantic', { query: 'car' });
    expect([code, text]).toEqual(['UNAVAILABLE', expect.stringContaining('TIDINGS_EMBED_KEY')]);
    await eventually('a report', () => bench.logged.length > 0);
    expect(text + bench.logged.join()).not.toContain('secret');
  });

  it('is refused at start if its address is invalid', async () => {
    for (const embedUrl of ['nowhere', 'ftp://x/', 'http://user:secret-word@127.0.0.1/']) {
      const opening = openVcon({ ...bench.settings, embedUrl });
      await expect(opening).rejects.toThrow('TIDINGS_EMBED_URL');
      await expect(opening).rejects.not.toThrow('secret-word');
    }
  });

  it('is required by searches by meaning only', async () => {
    await using agent = await bench.desk({ embedUrl: undefined });
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
