// The ids under which clients know the tasks of servers. Nothing is kept for a task: its id says which it is, and is signed
// for the principal whose call it was.
import { z } from 'zod';
import { isSignature, signatureOf } from '../../base/signed-text.ts';

export interface PassedTask {
  serverId: string;
  tool: string;
  /** Of the server. */
  taskId: string;
  /** The session of its caller's own that it is in; undefined for the one that callers share. */
  session?: string | undefined;
}

const fields = z.union([
  z.tuple([z.string(), z.string(), z.string()]),
  z.tuple([z.string(), z.string(), z.string(), z.string()]),
]);

export class TaskIds {
  readonly #key: Buffer;

  /** The same key in all nodes of a cluster; otherwise one for each run, so that a restart of the hub ends the ids. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  write({ serverId, tool, taskId, session }: PassedTask, subject: string | undefined): string {
    const text = Buffer.from(
      JSON.stringify([serverId, tool, taskId, ...(session === undefined ? [] : [session])]),
    ).toString('base64url');
    return `${text}.${signatureOf(signedText(text, subject), this.#key)}`;
  }

  /** Undefined if it is not an id of this principal. */
  read(id: unknown, subject: string | undefined): PassedTask | undefined {
    if (typeof id !== 'string') return undefined;
    const [text = '', signature = ''] = id.split('.');
    if (!isSignature(signature, signedText(text, subject), this.#key)) return undefined;
    const [serverId, tool, taskId, session] = fields.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { serverId, tool, taskId, session };
  }
}

function signedText(text: string, subject: string | undefined): string {
  return JSON.stringify([text, subject ?? null]);
}
