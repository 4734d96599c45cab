// Shows the definitions that a running hub holds back, and agrees to them.
import { type DefinitionsAnswer, type ShownDefinition, definitionsAnswer } from '@tidings/client/contract';
import { reviewableJson } from '../http/route/reviewable-json.ts';
import { HubApiClient } from '../http/hub-api-client.ts';
import { onReaderGone, print } from '../terminal/print.ts';
import { jsonText } from '../terminal/print-line.ts';
import { type Screen, screenOf } from '../terminal/screen.ts';
import { askUser } from '../terminal/ask-user.ts';
import { Failure } from '../terminal/failure.ts';

export interface TrustSettings {
  hub: URL;
  tool?: string;
  prompt?: string;
  instructions?: boolean;
  self?: boolean;
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

export async function trustDefinitions(server: string, settings: TrustSettings): Promise<void> {
  const { hub, dryRun = false, yes = false, json = false } = settings;
  const api = new HubApiClient(hub, process.env['TIDINGS_TOKEN'] || undefined);
  const path = `/api/servers/${encodeURIComponent(server)}`;
  onReaderGone(() => undefined);
  const { pinned, total, held } = await api.ask(`${path}/definitions${queryOf(settings)}`, definitionsAnswer);
  const isAsked = !dryRun && !yes && !json && process.stdin.isTTY && process.stderr.isTTY;
  if (!json) await print(shown(server, { pinned, total, held }, screenOf(process.stdout, process.env)));
  if (isAsked && held.length > 0) {
    const answer = await askUser(`Agree to ${held.length === 1 ? 'it' : 'them'}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was agreed to.');
  }
  const agreed = dryRun || held.length === 0 ? [] : held;
  const left = agreed.length === 0 ? total : await agree(api, path, agreed);
  if (json) await print(`${jsonText({ server, pinned, agreed: agreed.map(nameOf), held: left, definitions: held })}\n`);
  else if (agreed.length > 0) await print(`${summary(agreed.length, left)}\n`);
}

/** Sends the hashes of the definitions shown, so that the hub refuses those that changed since. */
async function agree(api: HubApiClient, path: string, held: readonly ShownDefinition[]): Promise<number> {
  const definitions = held.map(({ kind, name, hash }) => ({ kind, name, hash }));
  const { total } = await api.ask(`${path}/trust`, definitionsAnswer, { definitions });
  return total;
}

function queryOf({ tool, prompt, instructions, self }: TrustSettings): string {
  if (tool !== undefined) return `?kind=tool&name=${encodeURIComponent(tool)}`;
  if (prompt !== undefined) return `?kind=prompt&name=${encodeURIComponent(prompt)}`;
  if (self) return '?kind=server';
  return instructions ? '?kind=instructions' : '';
}

function nameOf({ kind, name, changes }: ShownDefinition) {
  return { kind, name, changes };
}

function shown(server: string, { pinned, held, total }: DefinitionsAnswer, screen: Screen): string {
  if (held.length === 0) {
    const pin = pinned ? '' : ' It is not pinned: set "pin": true in its entry to have changes wait for you.';
    return `No definition of ${server} is held back.${pin}\n`;
  }
  const heading =
    total > held.length
      ? `${held.length} of ${total} that are held back of ${server}:`
      : `${held.length} held back of ${server}:`;
  return `${heading}\n\n${held.map((each) => `${one(each, screen)}\n`).join('\n')}\n`;
}

/** Kinds of which a server has exactly one. */
const singles = { instructions: 'instructions', server: 'what the server calls itself' };

function one({ kind, name, changes, diff, cut }: ShownDefinition, { style }: Screen): string {
  const isSingle = kind === 'instructions' || kind === 'server';
  const what = isSingle ? singles[kind] : `${kind} ${reviewableJson(JSON.stringify(name))}`;
  const lines = diff
    .split('\n')
    .map((line) => style(line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim', line));
  const rest =
    cut > 0 ? [`(${cut} more characters: name it with --${kind === 'server' ? 'self' : kind} to see all)`] : [];
  return [style('bold', `${what}: ${changes.join(', ')}`), ...lines, ...rest].join('\n');
}

function summary(agreed: number, left: number): string {
  const done = `Agreed to ${agreed}: offered from now on.`;
  return left === 0 ? done : `${done} ${left} more held back.`;
}
