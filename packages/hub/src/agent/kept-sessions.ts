// Stores in the data folder the sessions that were attached over the API, so that they survive a restart. Only the
// request is stored, which names the variable of a key and not the key. In a cluster, `SharedSessions` does this
// instead.
import type { Log } from '@tidings/live';
import { type Migration, type Store, openStore } from '@tidings/store';
import { type AttachRequest, attachRequest } from '@tidings/client/contract';

interface SessionTables {
  session: { id: string; request: string };
}

const migrations: readonly Migration[] = [
  {
    name: 'sessions',
    up: ({ run }) => run('create table session (id text primary key, request text not null)'),
  },
];

interface KeptSession {
  id: string;
  request: AttachRequest;
}

export class KeptSessions {
  readonly #store: Store<SessionTables>;
  readonly #log: Log;

  private constructor(store: Store<SessionTables>, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  static async open(place: string, log: Log): Promise<KeptSessions> {
    return new KeptSessions(await openStore<SessionTables>(place, { name: 'sessions', migrations, log }), log);
  }

  async keep({ id, request }: KeptSession): Promise<void> {
    const row = { id, request: JSON.stringify(request) };
    await this.#store.write(({ db }) => db.insertInto('session').values(row).execute());
  }

  async forget(id: string): Promise<void> {
    await this.#store.write(({ db }) => db.deleteFrom('session').where('id', '=', id).execute());
  }

  async all(): Promise<KeptSession[]> {
    const rows = await this.#store.db.selectFrom('session').selectAll().orderBy('id').execute();
    return rows.flatMap(({ id, request }) => {
      const { data, error } = attachRequest.safeParse(JSON.parse(request));
      if (data) return [{ id, request: data }];
      this.#log.warn(
        { session: id, reason: error.message },
        'A kept agent session cannot be attached by this version.',
      );
      return [];
    });
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
