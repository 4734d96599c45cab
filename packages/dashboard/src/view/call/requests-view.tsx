// The JSON-RPC requests of this page to a server, with their responses.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useObserved } from '../../state/observable.ts';
import type { KeptExchange, RequestHistory } from '../../state/request-history.ts';
import { CopyButton } from '../element/copy-button.tsx';
import { JsonTree, displayableJson } from '../element/json-tree.tsx';

/** Enough levels to show the text of a result. */
const openLevels = 5;

export function RequestsView({ id, history }: { id: string; history: RequestHistory }): JSX.Element | null {
  useObserved(history);
  const made = history.of(id);
  if (made.length === 0) return null;
  return (
    <section class="pane offers" aria-label="Requests">
      <div class="heading">
        <h2>
          Requests <span class="faint">{made.length}</span>
        </h2>
        <p class="faint">as this page sent them, newest first</p>
        <span class="grow" />
        <button type="button" class="button" onClick={() => history.clear(id)}>
          Clear
        </button>
      </div>
      {made.toReversed().map((exchange) => (
        <Request key={exchange.number} exchange={exchange} />
      ))}
    </section>
  );
}

function Request({ exchange }: { exchange: KeptExchange }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { at, ms, method, name, request, messages, problem } = exchange;
  return (
    <details class="offer" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <code>{method}</code>
        {name !== undefined && <span>{name}</span>}
        <span class="faint">
          {new Date(at).toLocaleTimeString()}, {ms} ms
        </span>
        {problem !== '' && <span class="badge bad">Failed</span>}
      </summary>
      {isOpen && (
        <div class="exchange">
          <h3>Request</h3>
          <Message text={request} />
          <h3>{messages.length > 1 ? 'Notifications and answer' : 'Answer'}</h3>
          {messages.length === 0 && <p class="reason bad">{problem}</p>}
          {messages.map((message, index) => (
            <Message key={index} text={message} />
          ))}
          <div class="actions">
            <CopyButton label="Copy both" text={[request, ...messages].join('\n')} />
          </div>
        </div>
      )}
    </details>
  );
}

function Message({ text }: { text: string }): JSX.Element {
  const json = displayableJson(text);
  return json === undefined ? <pre class="text">{text}</pre> : <JsonTree value={json.value} open={openLevels} />;
}
