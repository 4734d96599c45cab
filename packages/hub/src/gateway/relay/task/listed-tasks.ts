// The newest tasks of each principal, by the hub's ids, for `tasks/list`: a server would list the tasks of all callers
// of the hub, and does not know whose they are. While a task is listed, a 2025-era client gets its status
// notifications.
import { hasShare } from '../fair-share.ts';

const mostOfPrincipal = 100;
const mostTogether = 10_000;

export class ListedTasks {
  /** Task ids by subject, the oldest first. */
  readonly #ids = new Map<string, Map<string, () => void>>();
  #size = 0;

  /** `dropped` is called when the task leaves the list, or at once if there is no room for it. */
  add(id: string, subject = '', dropped: () => void = () => undefined): void {
    const own = this.#ids.get(subject) ?? new Map<string, () => void>();
    const [oldest] = own.keys();
    if (own.size >= mostOfPrincipal && oldest !== undefined) this.delete(oldest, subject);
    if (!hasShare(mostTogether, { own: own.size, all: this.#size })) return dropped();
    own.set(id, dropped);
    this.#ids.set(subject, own);
    this.#size += 1;
  }

  delete(id: string, subject = ''): void {
    const own = this.#ids.get(subject);
    const dropped = own?.get(id);
    if (own === undefined || dropped === undefined) return;
    own.delete(id);
    dropped();
    this.#size -= 1;
    if (own.size === 0) this.#ids.delete(subject);
  }

  /** Task ids of a subject, the oldest first. */
  of(subject = ''): readonly string[] {
    return [...(this.#ids.get(subject)?.keys() ?? [])];
  }
}
