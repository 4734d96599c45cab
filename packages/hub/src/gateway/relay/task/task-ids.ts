// The hub's ids of servers' tasks. Nothing is stored for a task: the id contains the server, tool and task, and is
// signed for the principal whose call it was.
import { z } from 'zod';
import { isSignature, signatureOf } from '../../../base/signed-text.ts';

export interface PassedTask {
  serverId: string;
  tool: string;
  /** The server's id of the task. */
  taskId: string;
  /** The caller's own session that the task is in; undefined for the shared one. */
  session?: string | undefined;
}

const fields = z.union([
  z.tuple([z.string(), z.string(), z.string()]),
  z.tuple([z.string(), z.string(), z.string(), z.string()]),
]);

export class TaskIds {
  readonly #key: Buffer;

  /**
   * The key is the same in all nodes of a cluster; otherwise it differs for each run, so that ids end with a restart of
   * the hub.
   */
  constructor(key: Buffer) {
    this.#key = key;
  }

  write({ serverId, tool, taskId, session }: PassedTask, subject: string | undefined): string {
    const text = Buffer.from(
      JSON.stringify([serverId, tool, taskId, ...(session === undefined ? [] : [session])]),
    ).toString('base64url');
    return `${text}.${signatureOf(signedText(text, subject), this.#key)}`;
  }

  /** Undefined if it is not an id of a task of this principal. */
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
