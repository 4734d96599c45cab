// The vCon server: a library, its resources, tools and prompts.
import {
  type Clock,
  type LiveServer,
  type LiveServerOptions,
  type Log,
  liveServer,
  stderrLog,
  systemClock,
} from '@tidings/live';
import { version } from '@tidings/live/version';
import { addPrompts } from './prompts.ts';
import { type RedactionSettings, redactionFor } from './redactions.ts';
import { addResources } from './resources.ts';
import type { Embedder } from './source/embedding/embedder.ts';
import { EmbeddingWorkers } from './source/embedding/embedding-workers.ts';
import { SemanticIndex } from './source/embedding/semantic-index.ts';
import type { Library } from './source/library.ts';
import { Search } from './source/search/search.ts';
import { addTools } from './tools.ts';
import { Access, type AccessFor } from './tools/access.ts';

export interface VconServerOptions extends RedactionSettings {
  /** How many characters a resource may have. Default: 32 million. */
  resourceBudget?: number;
  /** How many characters a tool may answer with. Default: 1 million. */
  toolBudget?: number;
  /** Computes vectors of texts. Without it there is no search by meaning. */
  embedder?: Embedder | undefined;
  authorize?: LiveServerOptions['authorize'];
  clock?: Clock;
  log?: Log;
}

/** Closing the server closes the library; `beforeClose` ends everything else that uses it. */
export function vconServer(
  library: Library,
  options: VconServerOptions = {},
  beforeClose?: () => Promise<void>,
): LiveServer {
  const { resourceBudget = 32_000_000, toolBudget = 1_000_000, embedder, authorize } = options;
  const { clock = systemClock, log = stderrLog } = options;
  const server = liveServer({
    name: 'vcon',
    title: 'Conversations (vCon)',
    version,
    instructions:
      'Conversations as vCons. Browse vcon://v1/vcons/recent/ids, read vcon://v1/vcons/{uuid} or just the part you need, and subscribe to what you rely on: others may change it.',
    feed: library.feed,
    ignoreTrailingSlash: true,
    listWindowMs: 1000,
    ...(authorize && { authorize }),
    clock,
    log,
  });
  const { store } = library;
  const redaction = redactionFor(options);
  const semanticIndex = new SemanticIndex(store, embedder, clock);
  const workers = embedder && new EmbeddingWorkers({ store, semanticIndex, model: embedder.model, clock, log });
  const search = new Search(store, semanticIndex, (needed) => workers?.need(needed));
  const accessFor: AccessFor = (caller) =>
    new Access({ library, search, redactionFor: redaction, authorize, budget: toolBudget }, caller);
  addResources(server, (caller) => library.reader(redaction(caller), resourceBudget));
  addTools(server, accessFor, clock);
  addPrompts(server, accessFor);
  // For callers whose credentials name no redaction.
  workers?.need(redaction({ era: 'modern', transport: 'memory' }));
  server.onClose(async () => {
    search.close();
    await beforeClose?.();
    await workers?.close();
    await library.close();
  });
  return server;
}
