// Serves one server over HTTP; errors of listening say what to do.
import { type LiveServer, type RunningServer, serveHttp } from '@tidings/live';
import { exposure } from '../setup/exposure.ts';
import { Failure } from '../terminal/failure.ts';

export interface HttpSettings {
  port: number;
  host: string;
  insecure?: boolean;
}

export async function listenOn(
  server: LiveServer,
  { port, host, insecure = false }: HttpSettings,
): Promise<RunningServer> {
  const options = exposure(host, process.env['TIDINGS_TOKEN'], insecure);
  try {
    return await serveHttp(server, { ...options, port, host });
  } catch (error) {
    throw explained(error, port, host);
  }
}

/** An error of listening as a message that says what to do. */
export function explained(error: unknown, port: number, host: string): unknown {
  switch (error instanceof Error && 'code' in error && error.code) {
    case 'EADDRINUSE':
      return new Failure(`Port ${port} on ${host} is taken. Choose another with --port, or --port 0 for any free one.`);
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
