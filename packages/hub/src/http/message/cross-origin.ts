// Requests that a browser sends for another site's page without an Origin header: images, scripts, frames, forms. An
// Origin header has been checked before; these requests have none, but browsers describe them in Sec-Fetch-… headers.
import type { IncomingMessage } from 'node:http';
import { LiveError } from '@tidings/live';

/** Only a link or a redirect to a document of the hub may come from another site's page. */
export function assertNotForeign({ method, headers }: IncomingMessage): void {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site === undefined || site === 'same-origin' || site === 'none' || origin !== undefined) return;
  const isLink = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (isLink && (method === 'GET' || method === 'HEAD')) return;
  throw new LiveError('PERMISSION_DENIED', 'A page of another origin may link to the hub, but not use what it serves.');
}

const usable = new Set(['empty', 'document', 'iframe', 'image', 'audio', 'video']);

/** A resource of a server must not be used as a script, style or worker of the hub's origin. */
export function assertNotRun({ headers }: IncomingMessage): void {
  const { 'sec-fetch-dest': dest, 'service-worker': worker } = headers;
  if (worker === undefined && (dest === undefined || usable.has(dest))) return;
  const use = worker === undefined ? dest : 'serviceworker';
  throw new LiveError('PERMISSION_DENIED', `A resource may be read and shown, but not used as "${use}".`);
}
