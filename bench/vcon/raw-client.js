// A client that sends and receives messages without a library, so that only the server is measured.

const modern = '2026-07-28';

export class RawClient {
  #transport;
  #meta;
  #waiting = new Map();
  #lastId = 0;

  /** `era` is the server's era: a plain `McpServer` in memory supports 2025 only. */
  static async connect(transport, era) {
    const client = new RawClient();
    client.#transport = transport;
    transport.onmessage = (message) => client.#receive(message);
    await transport.start();
    if (era === 'legacy') await client.#initialize();
    else client.#meta = envelope;
    return client;
  }

  async read(uri) {
    const { contents } = await this.#ask('resources/read', this.#meta ? { uri, _meta: this.#meta } : { uri });
    return contents[0].text;
  }

  async close() {
    await this.#transport.close();
  }

  async #initialize() {
    const clientInfo = { name: 'bench', version: '1.0.0' };
    await this.#ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    await this.#transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  #ask(method, params) {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#transport.send({ jsonrpc: '2.0', id, method, params }).catch(reject);
    });
  }

  #receive({ id, result, error }) {
    const { resolve, reject } = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) resolve(result);
    else reject(new Error(error.message));
  }
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
};
