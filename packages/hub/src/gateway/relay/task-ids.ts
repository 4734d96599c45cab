// The ids under which clients know the tasks of servers. Nothing is kept for a task: its id says which it is, and is signed
// for the principal whose call it was.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

export interface PassedTask {
  serverId: string;
  tool: string;
  /** Of the server. */
  taskId: string;
}

const fields = z.tuple([z.string(), z.string(), z.string()]);

export class TaskIds {
  readonly #key: Buffer;

  /** The same key in all nodes of a cluster; otherwise one for each run, so that a restart of the hub ends the ids. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  write({ serverId, tool, taskId }: PassedTask, subject: string | undefined): string {
    const text = Buffer.from(JSON.stringify([serverId, tool, taskId])).toString('base64url');
    return `${text}.${this.#sign(text, subject).toString('base64url')}`;
  }

  /** Undefined if it is not an id of this principal. */
  read(id: unknown, subject: string | undefined): PassedTask | undefined {
    if (typeof id !== 'string') return undefined;
    const [text = '', signature = ''] = id.split('.');
    const [given, right] = [Buffer.from(signature, 'base64url'), this.#sign(text, subject)];
    if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
    const [serverId, tool, taskId] = fields.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return { serverId, tool, taskId };
  }

  #sign(text: string, subject: string | undefined): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify([text, subject ?? null]))
      .digest();
  }
}
