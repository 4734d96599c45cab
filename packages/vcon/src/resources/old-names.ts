// Aliases for the URIs of an earlier server, which some clients still use.
import type { LiveServer } from '@tidings/live';
import { base } from './conversation-base.ts';

export function addOldNames(server: LiveServer): void {
  server.alias('vcon://recent{/n}', `${base}/recent{/n}`);
  server.alias('vcon://recent/ids{/n}', `${base}/recent/ids{/n}`);
  server.alias('vcon://list/ids{/n}', `${base}/ids{/n}`);
  server.alias('vcon://uuid/{uuid}', `${base}/{uuid}`);
  server.alias('vcon://uuid/{uuid}/metadata', `${base}/{uuid}/metadata`);
  server.alias(`${base}/{uuid}/attachments/purpose/{type}`, `${base}/{uuid}/attachments/type/{type}`);
}
