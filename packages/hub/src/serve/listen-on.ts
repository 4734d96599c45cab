// Serves one server over HTTP; errors of listening say what to do.
import { type HttpOptions, type LiveServer, type Log, type RunningServer, serveHttp } from '@tidings/live';
import { systemCode } from '@tidings/live/portable';
import { createGuard } from '@tidings/live/internal';
import { exposure } from '../setup/exposure.ts';
import { Failure } from '../terminal/failure.ts';
import { ServeMetrics } from './serve-metrics.ts';
import { type OwnRoutes, SideRoutes } from './side-routes.ts';

/** Where requests from other hosts and origins are allowed, in error messages. */
const settings = { hosts: '--allow-host', origins: '"cors" in the configuration of a hub (tidings up)' };

export interface HttpSettings {
  port: number;
  host: string;
  /** Further names in the Host header of requests, for example those of a proxy. */
  allowHost?: readonly string[] | undefined;
  insecure?: boolean | undefined;
}

export interface ListenSettings extends HttpSettings {
  name: string;
  log: Log;
  routes?: OwnRoutes | undefined;
}

export async function listenOn(
  server: LiveServer,
  listening: ListenSettings,
): Promise<Pick<RunningServer, 'url' | 'close'>> {
  const { port, host, allowHost = [], insecure = false, name, log, routes } = listening;
  const { allowedHosts, ...authentication } = exposure(host, process.env['TIDINGS_TOKEN'], insecure, allowHost);
  const options = { ...authentication, guard: createGuard({ allowedHosts, settings }) };
  const metrics = new ServeMetrics(name);
  const side = new SideRoutes({ ...options, server, log, metrics, routes });
  const otherPaths: HttpOptions['otherPaths'] = (req, res) => void side.handle(req, res);
  try {
    const { url, close } = await serveHttp(server, { ...options, port, host, observe: metrics.observe, otherPaths });
    return {
      url,
      close: async () => {
        await side.close();
        await close();
      },
    };
  } catch (error) {
    throw explainedListenError(error, port, host);
  }
}

/** An error of listening as a message that says what to do. */
export function explainedListenError(error: unknown, port: number, host: string): unknown {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} on ${host} is in use. Choose another with --port, or --port 0 for any free one.`,
      );
    case 'EACCES':
      return new Failure(`This user may not listen on port ${port}. Choose one above 1023 with --port.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Failure(`"${host}" is not an address of this machine. Leave --host out to serve this machine only.`);
    default:
      return error;
  }
}
