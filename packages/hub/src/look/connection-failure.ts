// Why a server could not be reached, in words that say what to do.
import { SdkHttpError } from '@modelcontextprotocol/client';
import { Failure } from '../terminal/failure.ts';
import { type Target, nameOf } from './target.ts';

export function connectionFailure(error: unknown, target: Target, stderr = ''): Failure {
  return new Failure(`${reason(error, target)}${stderr}`);
}

function reason(error: unknown, target: Target): string {
  const name = nameOf(target);
  const systemCode = codeOf(error);
  if (target.kind === 'command') {
    if (systemCode === 'ENOENT')
      return `There is no command "${target.command}". Check its name, or give its full path.`;
    if (systemCode === 'EACCES')
      return `"${target.command}" may not be run. Make it executable, or start it with its interpreter.`;
    return `"${name}" did not answer as an MCP server on stdin and stdout: ${messageOf(error)}`;
  }
  if (error instanceof SdkHttpError) return httpReason(error.status, target, name);
  if (target.kind === 'hub') {
    return `No hub answers at ${target.url.origin}${systemCode ? ` (${systemCode})` : ''}. Start one with "tidings up" (in a checkout: "npm start"), or look straight at a server with --server URL or -- command args…`;
  }
  if (systemCode) return `Nothing answers at ${name} (${systemCode}). Start the server there, or check the address.`;
  return `${name} did not answer as an MCP server: ${messageOf(causes(error).at(-1) ?? error)}`;
}

function httpReason(status: number, target: Target, name: string): string {
  const variable = target.kind === 'hub' ? 'TIDINGS_TOKEN' : 'TIDINGS_SERVER_TOKEN';
  switch (status) {
    case 401:
      return `${capitalised(name)} asks for a token (401). Set ${variable} to one it accepts.`;
    case 403:
      return `${capitalised(name)} refuses this token or address (403). Check ${variable}, and that the address is one it knows itself by.`;
    case 404:
    case 405:
      return `There is no MCP server at ${name} (${status}). Check the path: most are at /mcp.`;
    default:
      return `${capitalised(name)} answered with HTTP ${status}. Look at its log for the reason.`;
  }
}

/** The system's code, however deep fetch and the SDK have wrapped it. */
function codeOf(error: unknown): string | undefined {
  return causes(error)
    .map((each) => ('code' in each ? each.code : undefined))
    .find(isSystemCode);
}

function isSystemCode(code: unknown): code is string {
  return typeof code === 'string' && /^(E[A-Z]+|UND_ERR\w+|CERT_\w+)$/.test(code);
}

function causes(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causes(error.cause)] : [];
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
