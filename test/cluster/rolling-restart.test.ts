// Three nodes behind the documented balancer are restarted one after the other, and one is killed, while a server keeps
// changing. Clients of both eras have only the balancer's address; 2025-era sessions are routed by their id.
import { eventually } from '@tidings/live/testing';
import { expect, it } from 'vitest';
import { BalancedClient } from '../chaos/cluster/balanced-client.ts';
import { NotesUpstream } from '../hub/notes-upstream.ts';
import { Balancer, balancerNeed } from '../support/network/balancer.ts';
import { freePort } from '../support/network/free-port.ts';
import { describeWith } from '../support/run/needs.ts';
import { postgresNeed } from '../support/service/postgres.ts';
import { rpcRequest } from '../support/wire/raw-http.ts';
import { freshDatabase } from '../support/service/shared-postgres.ts';
import { NodeProcess, byOwner } from './cluster-of-processes.ts';

const uri = 'note://a';
const clientsOfEra = 6;

/** A 2025-era request without a client library: in a session, or as the first one of a new session. */
async function post(url: string, session: string | undefined): Promise<{ status: number; session: string }> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } };
  const { headers, body } =
    session === undefined ? rpcRequest('legacy', 'initialize', params) : rpcRequest('legacy', 'resources/list', {});
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...headers, ...(session !== undefined && { 'mcp-session-id': session }) },
    body: JSON.stringify(body),
  });
  await answer.text();
  return { status: answer.status, session: answer.headers.get('mcp-session-id') ?? '' };
}

describeWith(postgresNeed, 'a cluster', () => {
  describeWith(balancerNeed, 'behind the balancer', () => {
    it(
      'is restarted node by node without a stale subscriber, with one reconnection per client',
      { timeout: 300_000 },
      async () => {
        await using upstream = await NotesUpstream.start('modern');
        upstream.put('a', '0');
        const place = await freshDatabase();
        const ports = [await freePort(), await freePort(), await freePort()];
        const start = (port: number) =>
          NodeProcess.start({ place, config: { servers: [upstream.entry('notes')] }, args: ['--port', String(port)] });
        const nodes = await Promise.all(ports.map(start));
        await byOwner(nodes, 'notes');
        await using balancer = await Balancer.start(ports);
        const open = (era: 'modern' | 'legacy') => BalancedClient.open(era, balancer.url, [uri]);
        const opening = Array.from({ length: clientsOfEra }, () => [open('modern'), open('legacy')]);
        const clients = await Promise.all(opening.flat());
        let written = 0;
        const write = () => upstream.put('a', String((written += 1)));
        const allHoldTheTruth = () =>
          eventually('all to hold the truth', () => clients.every(({ held }) => held.get(uri) === String(written)));
        await allHoldTheTruth();
        // Changes follow each other as fast as one client gets them, until the last node is back.
        const [witness] = clients;
        const restarted = new AbortController();
        const load = (async () => {
          while (!restarted.signal.aborted) {
            write();
            await eventually('one to follow', () => witness?.held.get(uri) === String(written));
          }
        })();
        for (const [n, port] of ports.entries()) {
          const node = nodes[n];
          if (node === undefined) throw new Error('There is one for each port.');
          const stopping = node.stop();
          // The node still answers, so that a balancer can notice.
          await eventually('it to say that it stops', async () => {
            const answer = await fetch(`${node.url}/readyz`).catch(() => undefined);
            return answer?.status === 503;
          });
          expect(await stopping).toBe(0);
          nodes[n] = await start(port);
          await eventually('the balancer to use it again', async () => (await fetch(`${nodes[n]?.url}/readyz`)).ok);
        }
        restarted.abort();
        await load;
        await allHoldTheTruth();
        for (const { reconnects } of clients) expect(reconnects).toBeLessThanOrEqual(ports.length);

        // All connections of one session reach the node that has it, until that node is gone.
        const { session } = await post(balancer.url, undefined);
        for (let n = 0; n < 6; n += 1) expect((await post(balancer.url, session)).status).toBe(200);
        const knows = await Promise.all(nodes.map(async ({ url }) => (await post(url, session)).status === 200));
        expect(knows.filter(Boolean)).toHaveLength(1);
        await nodes[knows.indexOf(true)]?.kill();
        write();
        // Until the balancer has noticed that the node is gone, it may close the connection instead of answering.
        const lastStatus = async () => (await post(balancer.url, session).catch(() => undefined))?.status;
        await eventually('a 404', async () => (await lastStatus()) === 404);
        await allHoldTheTruth();
        for (const client of clients) await client[Symbol.asyncDispose]();
      },
    );
  });
});
