// Everything `tidings serve` can serve, one entry each.
import { hasCredentials, parsedUrl } from '@tidings/live/portable';
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { knownRedaction } from '../setup/known-redaction.ts';
import { type Flag, type Servable, servable } from './servable.ts';

const folder = {
  placeholder: 'dir',
  summary: 'the folder whose files are served',
  variable: 'TIDINGS_FOLDER',
  required: true,
  parse: existingFolder,
} as const satisfies Flag;

const ntfyUrl = {
  placeholder: 'url',
  summary: 'where notifications are sent (default: the public ntfy service)',
  variable: 'TIDINGS_NTFY_URL',
} as const satisfies Flag;

const destinations = {
  placeholder: 'file',
  summary: 'a file that names where notifications can go (default: destinations.json in the data folder)',
  variable: 'TIDINGS_DESTINATIONS',
} as const satisfies Flag;

const obsUrl = {
  placeholder: 'url',
  summary: 'where OBS listens (default: ws://127.0.0.1:4455)',
  variable: 'TIDINGS_OBS_URL',
  parse: websocketUrl,
} as const satisfies Flag;

const obsPasswordFile = {
  placeholder: 'file',
  summary: 'a file with the password for OBS, if TIDINGS_OBS_PASSWORD does not hold it',
  variable: 'TIDINGS_OBS_PASSWORD_FILE',
} as const satisfies Flag;

const redact = {
  placeholder: 'name',
  summary: 'the redaction for all callers, such as contact-details',
  variable: 'TIDINGS_REDACT',
} as const satisfies Flag;

const embedUrl = {
  placeholder: 'url',
  summary: 'an OpenAI-compatible embeddings endpoint, for search by meaning',
  variable: 'TIDINGS_EMBED_URL',
} as const satisfies Flag;

const webhookUrl = {
  placeholder: 'url',
  summary: 'where a signed webhook is sent for every change; TIDINGS_VCON_WEBHOOK_SECRET signs it',
  variable: 'TIDINGS_VCON_WEBHOOK_URL',
} as const satisfies Flag;

const vconKeys = {
  placeholder: 'file',
  summary: 'a JSON Web Key Set that verifies signed vCons and opens encrypted ones',
  variable: 'TIDINGS_VCON_KEYS',
} as const satisfies Flag;

export const servables: readonly Servable[] = [
  servable({
    name: 'obs',
    summary: 'OBS Studio: scenes, sources, sound, filters, and what is on air',
    flags: { obsUrl, obsPasswordFile },
    secret: {
      variable: 'TIDINGS_OBS_PASSWORD',
      what: 'The password that OBS shows under Tools, WebSocket Server Settings (empty if it asks for none)',
    },
    create: async ({ obsUrl, obsPasswordFile }, { log, isChosen = true }) => {
      const password = setting('TIDINGS_OBS_PASSWORD');
      return (await import('@tidings/obs')).openObs({
        log,
        url: obsUrl,
        password,
        passwordFile: obsPasswordFile,
        isOptional: !isChosen && [obsUrl, password, obsPasswordFile].every((given) => given === undefined),
      });
    },
  }),
  servable({
    name: 'schedules',
    summary: 'one-off and recurring notifications',
    flags: { ntfyUrl, destinations },
    storesInPlace: true,
    create: async ({ data, ntfyUrl, destinations }, { log, tellSession, bus }) =>
      (await import('@tidings/schedules')).openSchedules({
        log,
        place: data,
        bus,
        ntfyUrl,
        destinationsFile: destinations,
        tellSession,
        // Secrets come from the environment only: other users of the machine can see command lines.
        ntfyToken: setting('TIDINGS_NTFY_TOKEN'),
        qstashToken: setting('QSTASH_TOKEN'),
        qstashUrl: setting('QSTASH_URL'),
      }),
  }),
  servable({
    name: 'vcon',
    summary: 'conversations (vCons)',
    flags: { redact, embedUrl, vconKeys, webhookUrl },
    storesInPlace: true,
    redacts: true,
    routes: async () => (await import('./vcon-rest.ts')).vconRest,
    create: async ({ data, redact, embedUrl, vconKeys, webhookUrl }, { log, redactions, bus }) =>
      (await import('@tidings/vcon')).openVcon({
        log,
        place: data,
        bus,
        redactions,
        redact: await knownRedaction(redact, redactions?.()),
        keysFile: vconKeys,
        webhookUrl,
        webhookSecret: setting('TIDINGS_VCON_WEBHOOK_SECRET'),
        embedUrl,
        embedModel: setting('TIDINGS_EMBED_MODEL'),
        embedKey: setting('TIDINGS_EMBED_KEY'),
      }),
  }),
  servable({
    name: 'counter',
    summary: 'a number, and a tool that increments it',
    create: async (_settings, { log }) => (await import('@tidings/examples/counter')).createCounter({ log }),
  }),
  servable({
    name: 'files',
    summary: 'the files of a folder',
    flags: { folder },
    create: async ({ folder }, { log }) => (await import('@tidings/examples/files')).createFiles(folder, { log }),
  }),
  servable({
    name: 'clock',
    summary: 'the time in any time zone',
    create: async (_settings, { log }) => (await import('@tidings/examples/clock')).createClock(undefined, { log }),
  }),
];

/** An empty variable counts as unset. */
function setting(name: string): string | undefined {
  return process.env[name] || undefined;
}

function websocketUrl(text: string): string {
  const url = parsedUrl(text);
  if (url === undefined || !/^wss?:$/.test(url.protocol) || url.hash !== '') {
    throw new InvalidArgumentError('OBS is reached at a URL such as ws://127.0.0.1:4455.');
  }
  if (hasCredentials(url)) {
    throw new InvalidArgumentError('The password belongs into TIDINGS_OBS_PASSWORD, not into the URL.');
  }
  return text;
}

function existingFolder(path: string): string {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('There is no such folder.');
  }
  return resolve(path);
}
