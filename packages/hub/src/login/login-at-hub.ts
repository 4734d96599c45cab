// `tidings login SERVER --hub URL` and `tidings logout SERVER --hub URL`: a login of the user's own, which the hub keeps.
// The hub talks to the authorization server; this command passes on what the browser came back with.
import { begunLogin, endedLogin, userLogin, userLoginsAnswer } from '@tidings/client/contract';
import { isWebUrl } from '@tidings/live/portable';
import { HubApiClient } from '../http/hub-api-client.ts';
import { Failure } from '../terminal/failure.ts';
import { interruption } from '../terminal/interruption.ts';
import { printJson, printLine } from '../terminal/print-line.ts';
import { type BrowserSettings, logInInBrowser } from './in-browser.ts';
import { fateOf } from './log-out.ts';

export interface LogInAtHubSettings extends BrowserSettings {
  hub: URL;
  scope?: string;
  json?: boolean;
}

/** The hub asks the server and its authorization server meanwhile. */
const patienceMs = 120_000;

export async function logInAtHub(server: string, settings: LogInAtHubSettings): Promise<void> {
  const { hub, scope, json = false } = settings;
  const api = apiOf(hub);
  const path = pathOf(server);
  const { logins } = await api.ask('/api/logins', userLoginsAnswer);
  const before = logins.find((each) => each.server === server);
  const done = await logInInBrowser(settings, {
    lastRedirectUri: before?.redirectUri,
    signal: interruption(),
    begin: async (redirectUri) => {
      const body = { redirectUri, ...(scope !== undefined && { scope }) };
      const address = new URL((await api.ask(path, begunLogin, body)).address);
      if (!isWebUrl(address)) throw new Failure('The hub gave an address that is none of the web.');
      const state = address.searchParams.get('state');
      return {
        address,
        isOurs: (callback) => state !== null && callback.get('state') === state,
        finish: (callback) => api.ask(`${path}/callback`, userLogin, Object.fromEntries(callback)),
      };
    },
  });
  if (json) return printJson(done);
  const until = !done.renews && done.expires !== undefined ? ` until ${done.expires}` : '';
  printLine(`Logged in to ${server}${until}. The hub at ${hub.origin} uses this login for you only.`);
}

export async function logOutAtHub(server: string, { hub, json = false }: { hub: URL; json?: boolean }): Promise<void> {
  const ended = await apiOf(hub).remove(pathOf(server), endedLogin);
  if (json) return printJson(ended);
  printLine(`Logged out of ${server}. ${fateOf(ended)}`);
}

function apiOf(hub: URL): HubApiClient {
  return new HubApiClient(hub, process.env['TIDINGS_TOKEN'] || undefined, patienceMs);
}

function pathOf(server: string): string {
  return `/api/logins/${encodeURIComponent(server)}`;
}
