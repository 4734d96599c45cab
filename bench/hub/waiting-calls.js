// Any number of waiting calls of `wait_for_change`, each on its own connection; in the 2025 era all in one session.
import { Agent, request } from 'node:http';

const name = 'wait_for_change';
const modern = '2026-07-28';
const legacy = '2025-11-25';
/** The number of calls that are sent at a time, so that the hub's queue of new connections does not overflow. */
const atOnce = 100;

export class WaitingClients {
  #url;
  #agent = new Agent({ keepAlive: true, maxSockets: Infinity });
  #era;
  #sessionId;
  #sent = 0;
  #failure;

  constructor(url, era) {
    this.#url = new URL('/mcp', url);
    this.#era = era;
  }

  /** Opens the session of the 2025 era. */
  async begin() {
    if (this.#era === 'modern') return;
    const clientInfo = { name: 'bench', version: '1.0.0' };
    const params = { protocolVersion: legacy, capabilities: {}, clientInfo };
    const opened = await this.#fetch({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
    this.#sessionId = opened.headers.get('mcp-session-id');
    await this.#fetch({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  /** Resolves when `arrived` confirms that all calls so far have arrived. */
  async add(calls, arrived) {
    for (let left = calls; left > 0; left -= atOnce) {
      for (let index = 0; index < Math.min(left, atOnce); index += 1) this.#call();
      await arrived(this.#sent);
      if (this.#failure) throw this.#failure;
    }
  }

  close() {
    this.#agent.destroy();
  }

  #call() {
    this.#sent += 1;
    const isModern = this.#era === 'modern';
    const meta = {
      ...(isModern && {
        'io.modelcontextprotocol/protocolVersion': modern,
        'io.modelcontextprotocol/clientCapabilities': {},
      }),
      progressToken: this.#sent,
    };
    const params = { name, arguments: { uris: ['obs://status'], timeout_seconds: 3600 }, _meta: meta };
    const body = JSON.stringify({ jsonrpc: '2.0', id: this.#sent, method: 'tools/call', params });
    const headers = {
      ...this.#headers(),
      'Content-Length': Buffer.byteLength(body),
      ...(isModern && { 'Mcp-Method': 'tools/call', 'Mcp-Name': name }),
    };
    const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
      // The stream of progress and keep-alive comments.
      response.setEncoding('utf8').on('data', (text) => {
        if (/"(result|error)":/.test(text)) this.#failure ??= new Error(`A call was answered: ${text}`);
      });
    });
    sent.on('error', (error) => (this.#failure ??= error));
    sent.end(body);
  }

  #headers() {
    return {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': this.#era === 'modern' ? modern : legacy,
      ...(this.#sessionId !== undefined && { 'Mcp-Session-Id': this.#sessionId }),
    };
  }

  async #fetch(message) {
    const answer = await fetch(this.#url, { method: 'POST', headers: this.#headers(), body: JSON.stringify(message) });
    await answer.text();
    return answer;
  }
}
