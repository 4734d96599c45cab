// One server: its state, its tools, prompts and templates, and its stderr.
import { type ServerStatus, expandedTemplate, templateVariables } from '@tidings/client/contract';
import { counted } from '@tidings/live/portable';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { toolResultOf } from '../../hub/call-tool.ts';
import {
  type Definitions,
  type Prompt,
  type Template,
  type Tool,
  readPrompt,
  readDefinitions,
} from '../../hub/definitions.ts';
import type { CallInProgress } from '../../hub/mcp-request.ts';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { ArgumentForm } from '../call/argument-form.tsx';
import { MessagesView } from '../call/messages-view.tsx';
import { ProblemNote } from '../element/problem-note.tsx';
import { RequestsView } from '../call/requests-view.tsx';
import { Block, ToolResultView } from '../call/result-blocks.tsx';
import { useProblem } from '../element/use-problem.ts';
import { href } from '../route.ts';
import { type SchemaField, fieldsOf } from '../call/schema-fields.ts';
import { ServerActions } from './server-actions.tsx';
import { ServerCard } from './server-card.tsx';
import { ServerCharts } from './server-charts.tsx';
import { ServerLog } from './server-log.tsx';
import { useNow } from '../element/use-now.ts';

export function ServerPage({ hub, id }: { hub: HubState; id: string }): JSX.Element {
  useObserved(hub, hub.timeline);
  const now = useNow();
  const server = hub.servers.find((each) => each.id === id);
  return (
    <>
      <div class="heading">
        <h1>{id}</h1>
        <p>
          <a href={href('servers')}>All servers</a>
        </p>
        <span class="grow" />
        {server && <ServerActions server={server} hub={hub} />}
      </div>
      {server === undefined ? (
        <p class="empty pane">{hub.wasOpen ? `There is no server "${id}".` : 'Reading…'}</p>
      ) : (
        <div class="server-page">
          <ul class="plain">
            <ServerCard server={server} hub={hub} now={now} isDetailed />
          </ul>
          <p>
            <a href={href('resources', { server: id })}>{counted(server.resources, 'resource')}</a> ·{' '}
            <a href={href('timeline', { server: id })}>Events</a>
          </p>
          <ServerCharts id={id} hub={hub} now={now} />
          <Offers hub={hub} server={server} />
          <MessagesView id={id} messages={hub.logMessages} />
          {server.transport === 'stdio' && <ServerLog hub={hub} id={id} />}
          <RequestsView id={id} history={hub.requests} />
        </div>
      )}
    </>
  );
}

function Offers({ hub, server: { id, state } }: { hub: HubState; server: ServerStatus }): JSX.Element {
  const [offers, setOffers] = useState<Definitions>();
  const { problem, attempt } = useProblem();
  const changes = hub.definitionChanges(id);
  const isConnected = state === 'live' || state === 'unsupported';
  useEffect(() => {
    if (!isConnected) return;
    void attempt(async () => setOffers(await readDefinitions(id)));
  }, [id, hub.epoch, changes, isConnected]);
  const logged = (call: CallInProgress) => ({ ...call, log: hub.logMessages.forCall(id) });
  return (
    <>
      <ProblemNote text={problem} />
      <Section title="Tools" items={offers?.tools}>
        {(tool: Tool) => (
          <Item key={tool.name} name={tool.name} title={tool.title} description={tool.description}>
            <ArgumentForm
              hub={hub}
              fields={fieldsOf(tool.inputSchema)}
              action="Call"
              hasMeta
              command={(args) => callCommand(id, tool.name, args)}
              send={async (args, call) => (
                <ToolResultView serverId={id} result={await toolResultOf(id, tool.name, args, logged(call))} />
              )}
            />
          </Item>
        )}
      </Section>
      <Section title="Prompts" items={offers?.prompts}>
        {(prompt: Prompt) => (
          <Item key={prompt.name} name={prompt.name} title={prompt.title} description={prompt.description}>
            <ArgumentForm
              hub={hub}
              fields={promptFields(prompt)}
              action="Get"
              hasMeta
              send={(args, call) => promptShown(id, prompt.name, args, logged(call))}
            />
          </Item>
        )}
      </Section>
      <Section title="Templates" items={offers?.templates}>
        {(template: Template) => (
          <Item
            key={template.uriTemplate}
            name={template.uriTemplate}
            title={template.title}
            description={template.description}
          >
            <ArgumentForm
              hub={hub}
              fields={templateVariables(template.uriTemplate).map(textField)}
              action="Open"
              send={async (args) => {
                location.hash = href('resources', {
                  server: id,
                  uri: filledTemplate(template.uriTemplate, texts(args)),
                });
                return null;
              }}
            />
          </Item>
        )}
      </Section>
    </>
  );
}

function callCommand(id: string, tool: string, args: Record<string, unknown>): string {
  const given = Object.keys(args).length === 0 ? [] : [JSON.stringify(args)];
  const words = ['tidings', 'call', id, tool, ...given, '--hub', location.origin];
  return words.map((word) => (/^[\w:/.-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

async function promptShown(
  id: string,
  name: string,
  args: Record<string, unknown>,
  call: CallInProgress,
): Promise<JSX.Element> {
  const { messages } = await readPrompt(id, name, texts(args), call);
  return (
    <>
      {messages.map(({ role, content }, index) => (
        <div key={index}>
          <h3>{role}</h3>
          <Block serverId={id} block={content} />
        </div>
      ))}
    </>
  );
}

/** An empty field is a variable without a value. */
function filledTemplate(template: string, fields: Record<string, string>): string {
  const values = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  return expandedTemplate(template, values) ?? template;
}

/** Fields of prompts and templates are texts. */
function texts(args: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])),
  );
}

function promptFields({ arguments: all = [] }: Prompt): SchemaField[] {
  return all.map(({ name, title, description, required }) => ({
    ...textField(name),
    title: title ?? name,
    description: description ?? '',
    isRequired: required ?? false,
  }));
}

function textField(name: string): SchemaField {
  return {
    name,
    title: name,
    description: '',
    isRequired: false,
    kind: 'text',
    choices: [],
    inputType: 'text',
    byDefault: '',
  };
}

interface SectionProps<T> {
  title: string;
  /** Undefined while they are read. */
  items: readonly T[] | undefined;
  children(this: void, item: T): JSX.Element;
}

function Section<T>({ title, items, children }: SectionProps<T>): JSX.Element | null {
  if (items === undefined || items.length === 0) return null;
  return (
    <section class="pane offers" aria-label={title}>
      <h2>
        {title} <span class="faint">{items.length}</span>
      </h2>
      {items.map(children)}
    </section>
  );
}

interface ItemProps {
  name: string;
  title: string | undefined;
  description: string | undefined;
  children: ComponentChildren;
}

/** The content is rendered when first opened: a server may have thousands of entries. */
function Item({ name, title, description, children }: ItemProps): JSX.Element {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details class="offer" onToggle={() => setOpened(true)}>
      <summary>
        <code>{name}</code>
        {title !== undefined && title !== name && <span>{title}</span>}
      </summary>
      {wasOpened && description !== undefined && <p class="description">{description}</p>}
      {wasOpened && children}
    </details>
  );
}
