// Lets one process act as the client in all scenarios of a run: the command that the suite starts for each of them
// (scenario-client.js) only requests the scenario here.
import { type Server, createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const program = fileURLToPath(new URL('scenario-client.js', import.meta.url));

const scenarioSchema = z.object({
  name: z.string(),
  /** The address of the server that the suite has started for it. */
  url: z.url(),
  /** The suite's input for the client. */
  context: z.object({
    name: z.string().optional(),
    client_id: z.string().optional(),
    client_secret: z.string().optional(),
    private_key_pem: z.string().optional(),
    signing_algorithm: z.string().optional(),
    toolCalls: z.array(z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()) })).optional(),
  }),
});

export type Scenario = z.infer<typeof scenarioSchema>;

export class ScenarioCalls implements AsyncDisposable {
  /** The command that the suite runs as its client. */
  readonly command = `${process.execPath} ${program}`;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * Begins once the suite has started `count` scenarios: it starts all at once, and meanwhile its servers answer so
   * slowly that a client takes them for servers of the 2025 era.
   */
  static async listen(count: number, act: (scenario: Scenario) => Promise<void>): Promise<ScenarioCalls> {
    const waiting: (() => void)[] = [];
    const server = createServer((req, res) => {
      const answer = async () => act(scenarioSchema.parse(JSON.parse(await text(req))));
      const begin = () =>
        void answer().then(
          () => res.end(),
          (error: unknown) => res.writeHead(500).end(String(error)),
        );
      waiting.push(begin);
      if (waiting.length === count) for (const each of waiting) each();
    });
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return new ScenarioCalls(server);
  }

  /** The environment of the command. */
  get env(): Record<string, string> {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    return { CONFORMANCE_CLIENT: `http://127.0.0.1:${address.port}` };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }
}
