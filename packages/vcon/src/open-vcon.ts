// Puts the vCon server together from settings.
import type { LiveServer } from '@tidings/live';
import { httpEmbedder } from './source/embedding/embedder.ts';
import { openLibrary } from './source/library.ts';
import { type VconServerOptions, vconServer } from './vcon-server.ts';

export interface VconSettings extends Omit<VconServerOptions, 'embedder'> {
  /** A data folder or a postgres:// URL. */
  place: string;
  /** Refuse what is not exactly as the standard says. */
  strict?: boolean;
  /** Extensions that vCons may call critical. */
  extensions?: readonly string[];
  /** An OpenAI-compatible embeddings endpoint (TIDINGS_EMBED_URL); search by meaning needs one. */
  embedUrl?: string | undefined;
  embedModel?: string | undefined;
  embedKey?: string | undefined;
}

export async function openVcon(settings: VconSettings): Promise<LiveServer> {
  const { place, embedUrl: url, embedModel: model, embedKey: key, clock } = settings;
  const embedder = url === undefined ? undefined : httpEmbedder({ url, model, key, ...(clock && { clock }) });
  const library = await openLibrary(place, settings);
  try {
    return vconServer(library, { ...settings, embedder });
  } catch (error) {
    await library.close();
    throw error;
  }
}
