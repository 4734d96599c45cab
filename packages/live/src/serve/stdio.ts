// Serves one client over stdin and stdout.
import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport, serveStdio as serveWithSdk } from '@modelcontextprotocol/server/stdio';
import { checkOptions, having } from '../base/check-options.ts';
import type { LiveServer } from '../live-server.ts';
import { definitionOf } from './endpoint-options.ts';
import { DuplexTransport } from './duplex-transport.ts';
import type { Line } from '../session/line.ts';

/** Which streams to use. Default: those of the process. */
export interface StdioOptions {
  /** Default: `process.stdin`. */
  input?: Readable;
  /** Default: `process.stdout`. */
  output?: Writable;
}

const stdioChecks = { input: having('on', 'destroy'), output: having('on', 'write') };

/** The connection over stdin and stdout. */
export interface StdioConnection {
  readonly close: () => Promise<void>;
  /** Resolves when the client has disconnected or `close` was called. */
  readonly closed: Promise<void>;
}

/**
 * Serves one client on stdin and stdout, of either era.
 *
 * @example
 * serveStdio(server);
 */
export function serveStdio(server: LiveServer, options: StdioOptions = {}): StdioConnection {
  checkOptions('serveStdio', options, stdioChecks);
  const { input = process.stdin, output = process.stdout } = options;
  const definition = definitionOf('serveStdio', server);
  const wire = new StdioServerTransport(input, output, { maxBufferSize: definition.limits.bodyBytes });
  const transport = new DuplexTransport(definition, wire, outputLine(output), { transport: 'stdio' });
  const sdk = serveWithSdk((context) => transport.createInstance(context), {
    transport,
    maxSubscriptions: Number.POSITIVE_INFINITY,
    onerror: (error) => {
      // The schema's error is long, and lists how the message differs from each kind of message.
      if (error.name === 'ZodError') {
        definition.log.warn({}, 'A message on stdio could not be handled: it is not JSON-RPC.');
      } else definition.log.warn({ err: error }, 'A message on stdio could not be handled.');
    },
  });
  // A stream that stays paused would keep the process alive, and its client waiting for answers. A socket that is both
  // input and output still has output to send.
  if (!Object.is(input, output)) void transport.closed.then(() => input.destroy());
  return { close: () => sdk.close(), closed: transport.closed };
}

function outputLine(output: Writable): Line {
  return {
    get ready() {
      return output.writable && !output.writableNeedDrain;
    },
    write: (lines) => output.write(lines, 'latin1'),
    onReady: (resume) => output.on('drain', resume),
  };
}
