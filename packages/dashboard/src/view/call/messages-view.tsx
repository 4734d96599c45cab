// The log messages of a server during calls from this page, and the choice of their lowest level.
import type { JSX } from 'preact';
import { logLevels } from '@tidings/live/portable';
import type { KeptMessage, LogMessages } from '../../state/log-messages.ts';
import { useObserved } from '../../state/observable.ts';

export function MessagesView({ id, messages }: { id: string; messages: LogMessages }): JSX.Element {
  useObserved(messages);
  const sent = messages.of(id);
  return (
    <section class="pane offers" aria-label="Messages">
      <div class="heading">
        <h2>Messages</h2>
        <p class="faint">that it logs during calls from this page</p>
        <span class="grow" />
        <select
          aria-label="Level of messages"
          value={messages.level ?? ''}
          onChange={({ currentTarget }) => messages.choose(logLevels.find((level) => level === currentTarget.value))}
        >
          <option value="">Not asked for</option>
          {logLevels.map((level) => (
            <option key={level} value={level}>
              From {level}
            </option>
          ))}
        </select>
        {sent.length > 0 && (
          <button type="button" class="button" onClick={() => messages.clear(id)}>
            Clear
          </button>
        )}
      </div>
      {sent.length > 0 && (
        <pre class="text log" tabIndex={0}>
          {sent.map(messageText).join('\n')}
        </pre>
      )}
    </section>
  );
}

function messageText({ at, level, logger, data }: KeptMessage): string {
  const words = typeof data === 'string' ? data : JSON.stringify(data);
  return `${new Date(at).toLocaleTimeString()}  ${level}  ${logger === undefined ? '' : `${logger}: `}${words}`;
}
