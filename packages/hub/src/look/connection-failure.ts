// Why a server could not be reached, and what to do.
import { decodedIfValid } from '@tidings/live/portable';
import { ConnectFailure } from '@tidings/track/session';
import { Failure } from '../terminal/failure.ts';
import { isOfTls, noHub, noSecureConnection } from '../base/unreachable.ts';
import { hasStderr, wroteOnStderr } from './stderr-lines.ts';
import { type ServerTarget, targetName } from './target.ts';

/** `stderr` has the last lines that a started server wrote. */
export function connectionFailure(error: unknown, target: ServerTarget, stderr: readonly string[] = []): unknown {
  if (!(error instanceof ConnectFailure)) return error;
  // The reason of a process that ended is its last line: a single line is not repeated.
  const output = hasStderr(error.message, stderr) ? '' : wroteOnStderr(stderr);
  return new Failure(`${reason(error, target)}${output}`);
}

function reason({ message, httpStatus, systemCode, needsLogin }: ConnectFailure, target: ServerTarget): string {
  const name = targetName(target);
  if (target.kind === 'command') {
    if (systemCode === 'ENOENT')
      return `There is no command "${target.command}". Check its name, or give its full path.`;
    if (systemCode === 'EACCES')
      return `"${target.command}" may not be run. Make it executable, or start it with its interpreter.`;
    return `"${name}" did not answer as an MCP server on stdin and stdout: ${message}`;
  }
  if (needsLogin && httpStatus === undefined) {
    return `${capitalised(name)} requires more permission than the token gives. Run "tidings login ${name}" to ask for it: ${message}`;
  }
  if (httpStatus !== undefined) return httpReason(httpStatus, target, name);
  if (systemCode && isOfTls(systemCode)) return noSecureConnection(name, systemCode);
  if (target.kind === 'hub') {
    const instead = 'look straight at a server with --server URL or a command after --';
    return noHub(target.url.origin, systemCode ?? message, instead);
  }
  if (systemCode) return `Nothing answers at ${name} (${systemCode}). Start the server there, or check the address.`;
  return `${name} did not answer as an MCP server: ${message}`;
}

function httpReason(status: number, target: ServerTarget, name: string): string {
  const variable = target.kind === 'hub' ? 'TIDINGS_TOKEN' : 'TIDINGS_SERVER_TOKEN';
  switch (status) {
    case 401: {
      const login = target.kind === 'hub' ? '' : ` Run "tidings login ${name}", or set`;
      return `${capitalised(name)} asks for a token (401).${login || ' Set'} ${variable} to one it accepts.`;
    }
    case 403:
      return `${capitalised(name)} refuses this token or address (403). Check ${variable}, and that it allows the host name in this address${target.kind === 'hub' ? ' (--allow-host)' : ''}.`;
    case 404:
    case 405: {
      const [, server] = /\/mcp\/([^/]+)$/.exec(target.kind === 'hub' ? target.url.pathname : '') ?? [];
      if (server !== undefined)
        return `${capitalised(name)} has no server "${decodedIfValid(server)}". "tidings list --servers" shows those it has.`;
      return `There is no MCP server at ${name} (${status}). Check the path: most are at /mcp.`;
    }
    default:
      return `${capitalised(name)} answered with HTTP ${status}. Look at its log for the reason.`;
  }
}

/** Addresses stay as they are. */
function capitalised(text: string): string {
  return /^https?:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
