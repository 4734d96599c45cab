// The history of a topic, newest first.
import type { JSX } from 'preact';
import { readTopicHistory } from '../../hub/schedules.ts';
import type { HubState } from '../../state/hub-state.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { usePolled } from '../element/use-polled.ts';
import { inLocalTime } from './schedule-row.tsx';

const mostShown = 50;

interface TopicHistoryProps {
  hub: HubState;
  server: string;
  topic: string;
}

export function TopicHistory({ hub, server, topic }: TopicHistoryProps): JSX.Element {
  const { value: history = [], problem } = usePolled(hub, () => readTopicHistory(server, topic));
  return (
    <>
      <ProblemNote text={problem} />
      <ol class="plain history" aria-label={`History of ${topic}`}>
        {history.slice(0, mostShown).map(({ at, event, by, notification_body, destination, reason }, index) => (
          <li key={`${at} ${event} ${index}`}>
            <time dateTime={at}>{inLocalTime(at)}</time> <strong>{event}</strong> by {by}
            {destination !== undefined && ` to ${destination}`}
            {notification_body !== undefined && `: ${notification_body}`}
            {reason !== undefined && <span class="faint"> ({reason})</span>}
          </li>
        ))}
      </ol>
    </>
  );
}
