// The vCon server, its client and the plain alternatives in one process, so that all of the work is measured on every
// side, and nothing else.
import assert from 'node:assert/strict';
import { serveMemory } from '@tidings/live';
import { Library, openLibrary, vconServer } from '@tidings/vcon';
import { answerCalls } from './calls.js';
import { BareTable } from './vcon/bare-table.js';
import { bareFile } from './vcon/build-library.js';
import { servePlainly } from './vcon/plain-server.js';
import { RawClient } from './vcon/raw-client.js';
import { readings } from './vcon/readings.js';

/** By name: reads once, the `turn`th time, and resolves with the text. */
const readers = {};

answerCalls({
  /** `few` and `many` are libraries: their folder, and their number of vCons. */
  async open({ reading, few, many }) {
    const { uri, bare } = readings[reading];
    const kit = async ({ folder, size }) => {
      const client = await RawClient.connect(serveMemory(vconServer(await openLibrary(folder))), 'modern');
      return (turn) => client.read(uri(turn, size));
    };
    const table = new BareTable(bareFile(many.folder));
    const plain = await RawClient.connect(await servePlainly(table), 'legacy');
    Object.assign(readers, {
      kit: await kit(many),
      kitAtFewer: await kit(few),
      bare: async (turn) => bare(table, turn, many.size),
      sdk: (turn) => plain.read(uri(turn, many.size)),
    });
    await assertSameAnswers();
    return queriesPerRead(many.folder, (turn) => uri(turn, many.size));
  },

  /** Microseconds of CPU for one read. */
  async read({ name, reads }) {
    const read = readers[name];
    const before = process.cpuUsage();
    for (let turn = 0; turn < reads; turn += 1) await read(turn);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / reads;
  },
});

async function assertSameAnswers() {
  for (const turn of [0, 1, 500]) {
    const [kit, bare, sdk] = await Promise.all([readers.kit(turn), readers.bare(turn), readers.sdk(turn)]);
    assert.deepEqual(JSON.parse(kit), JSON.parse(bare));
    assert.equal(sdk, bare);
  }
}

/** Counted on a separate server whose database reports every result. */
async function queriesPerRead(folder, uri) {
  const { store } = await openLibrary(folder);
  let queries = 0;
  const counting = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      queries += 1;
      return result;
    },
  };
  const { engine, feed } = store;
  const counted = {
    engine,
    feed,
    db: store.db.withPlugin(counting),
    write: (work) => store.write(work),
    close: () => store.close(),
  };
  const server = vconServer(new Library(counted));
  const client = await RawClient.connect(serveMemory(server), 'modern');
  queries = 0;
  const reads = 10;
  for (let turn = 0; turn < reads; turn += 1) await client.read(uri(turn));
  await client.close();
  await server.close();
  return queries / reads;
}
