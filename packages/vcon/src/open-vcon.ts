// Creates the vCon server from settings.
import { type Bus, type LiveServer, stderrLog, systemClock } from '@tidings/live';
import { httpEmbedder } from './source/embedding/embedder.ts';
import { ChangeWebhooks } from './source/change-webhooks.ts';
import { type Library, openLibrary } from './source/library.ts';
import { type VconServerOptions, vconServer } from './vcon-server.ts';

export interface VconSettings extends Omit<VconServerOptions, 'embedder'> {
  /** A data folder or a postgres:// URL. */
  place: string;
  /** Refuse documents that deviate from the standard. */
  strict?: boolean;
  /** Extensions that vCons may call critical. */
  extensions?: readonly string[];
  /** A file with the keys that verify signed vCons and open encrypted ones (TIDINGS_VCON_KEYS): a JSON Web Key Set. */
  keysFile?: string | undefined;
  /** An OpenAI-compatible embeddings endpoint (TIDINGS_EMBED_URL); search by meaning needs one. */
  embedUrl?: string | undefined;
  embedModel?: string | undefined;
  embedKey?: string | undefined;
  /** Where a signed webhook is sent for every change (TIDINGS_VCON_WEBHOOK_URL), and the secret that signs it. */
  webhookUrl?: string | undefined;
  webhookSecret?: string | undefined;
  /** Wakes other processes instead of PostgreSQL. */
  bus?: Bus | undefined;
}

export async function openVcon(settings: VconSettings): Promise<LiveServer> {
  const { place, embedUrl: url, embedModel: model, embedKey: key, clock } = settings;
  const embedder = url === undefined ? undefined : httpEmbedder({ url, model, key, ...(clock && { clock }) });
  const library = await openLibrary(place, settings);
  try {
    const webhooks = webhooksOf(library, settings);
    const server = vconServer(library, { ...settings, embedder }, webhooks && (() => webhooks.close()));
    await webhooks?.start();
    return server;
  } catch (error) {
    await library.close();
    throw error;
  }
}

function webhooksOf({ store }: Library, settings: VconSettings): ChangeWebhooks | undefined {
  const { webhookUrl: url, webhookSecret: secret, clock = systemClock, log = stderrLog } = settings;
  return url === undefined ? undefined : new ChangeWebhooks({ store, url, secret, clock, log });
}
