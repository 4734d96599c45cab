// The history of a topic, newest first.
import { every, systemClock } from '@tidings/live/time';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type ShownHistoryEntry, readTopicHistory } from '../../hub/schedules.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { useProblem } from '../element/use-problem.ts';
import { inLocalTime } from './schedule-row.tsx';

const refreshMs = 2000;
const mostShown = 50;

export function TopicHistory({ server, topic }: { server: string; topic: string }): JSX.Element {
  const [history, setHistory] = useState<readonly ShownHistoryEntry[]>([]);
  const { problem, attempt } = useProblem();
  useEffect(() => {
    const read = () => attempt(async () => setHistory(await readTopicHistory(server, topic)));
    void read();
    const timer = every(systemClock, refreshMs, () => {
      if (document.visibilityState === 'visible') void read();
    });
    return () => timer.cancel();
  }, [server, topic]);
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
