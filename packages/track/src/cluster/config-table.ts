// The configuration that all nodes share, stored as text: each node fills in `${NAME}` from its own environment, so no
// secret is stored.
import type { Store } from '@tidings/store';
import type { ClusterTables } from './cluster-schema.ts';

const configTopic = 'tidings:configuration';

export class ConfigTable {
  readonly #store: Store<ClusterTables>;

  constructor(store: Store<ClusterTables>) {
    this.#store = store;
  }

  /** Undefined if none is stored. */
  async read(): Promise<string | undefined> {
    return (await this.#store.db.selectFrom('configuration').select('text').executeTakeFirst())?.text;
  }

  /** Undefined removes it: nodes then use their own configuration. */
  put(text: string | undefined): Promise<void> {
    return this.#store.write(async ({ db, announce }) => {
      await db.deleteFrom('configuration').execute();
      if (text !== undefined) await db.insertInto('configuration').values({ only_row: true, text }).execute();
      announce(configTopic);
    });
  }

  /** Calls `listener` when the text may have changed. Returns a function that stops this. */
  follow(listener: () => void): () => void {
    const want = this.#store.feed.want?.(configTopic);
    const stop = this.#store.feed.follow({
      isSelective: true,
      change: ({ topics }) => void (topics.includes(configTopic) && listener()),
      gap: listener,
    });
    return () => {
      want?.end();
      stop();
    };
  }
}
