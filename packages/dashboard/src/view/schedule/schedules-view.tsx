// The schedules and one-offs of each topic, the dead letters, and the history.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type AllSchedules, type ScheduleAction, actOn, identifyingUri, readSchedules } from '../../hub/schedules.ts';
import type { HubState } from '../../state/hub-state.ts';
import { useObserved } from '../../state/observable.ts';
import { ProblemNote } from '../element/problem-note.tsx';
import { usePolled } from '../element/use-polled.ts';
import { useProblem } from '../element/use-problem.ts';
import { type Edited, ScheduleDialog } from './schedule-dialog.tsx';
import { OneOffRow, ScheduleRow, inLocalTime } from './schedule-row.tsx';
import { TopicHistory } from './topic-history.tsx';

export function SchedulesView({ hub }: { hub: HubState; query: URLSearchParams }): JSX.Element {
  useObserved(hub, hub.catalog);
  const server = hub.catalog.resources.find(({ uri }) => uri === identifyingUri)?.serverId;
  const heading = (
    <div class="heading">
      <h1>Schedules</h1>
      <p>Scheduled notifications and their deliveries</p>
    </div>
  );
  if (server !== undefined) return <Schedules key={server} server={server} hub={hub} />;
  return (
    <>
      {heading}
      <p class="empty pane">
        {hub.catalog.isLoaded ? (
          <>
            No schedules server is connected. In the configuration it is{' '}
            <code>"schedules": {'{ "builtin": "schedules" }'}</code>, under <code>"mcpServers"</code>.
          </>
        ) : (
          'Reading…'
        )}
      </p>
    </>
  );
}

/** The open form: for a new schedule, or for an existing one. */
type Form = { edited: Edited };

function Schedules({ server, hub }: { server: string; hub: HubState }): JSX.Element {
  const { value: all, problem: readProblem, refresh } = usePolled(hub, () => readSchedules(server));
  const { problem: actionProblem, attempt } = useProblem();
  const problem = actionProblem || readProblem;
  const act = (action: ScheduleAction, id: string) =>
    void attempt(async () => {
      await actOn(server, action, id);
      await refresh();
    });
  const [form, setForm] = useState<Form | undefined>();
  const [topic, setTopic] = useState<string | undefined>();
  return (
    <>
      <div class="heading">
        <h1>Schedules</h1>
        <p>Scheduled notifications and their deliveries</p>
        <span class="grow" />
        <button type="button" class="button strong" onClick={() => setForm({ edited: undefined })}>
          New schedule
        </button>
      </div>
      <ProblemNote text={problem} />
      {form && all && (
        <ScheduleDialog
          server={server}
          destinations={all.destinations}
          edited={form.edited}
          onClose={() => setForm(undefined)}
          onSaved={() => {
            setForm(undefined);
            void refresh();
          }}
        />
      )}
      {!all && problem === '' && <p class="empty pane">Reading…</p>}
      {all?.topics.length === 0 && <p class="empty pane">Nothing is planned.</p>}
      {all?.topics.map((each) => (
        <section key={each.topic} class="card topic" aria-label={`Topic ${each.topic}`}>
          <div class="card-top">
            <h2>{each.topic}</h2>
            <span class="faint">{each.destination}</span>
            <button
              type="button"
              class="button"
              onClick={() => setTopic(topic === each.topic ? undefined : each.topic)}
            >
              {topic === each.topic ? 'Hide history' : 'History'}
            </button>
          </div>
          {each.incomplete !== undefined && <p class="reason bad">{each.incomplete}</p>}
          <ul class="plain">
            {each.schedules.map((schedule) => (
              <ScheduleRow
                key={schedule.schedule_id}
                schedule={schedule}
                act={act}
                onEdit={() => setForm({ edited: { topic: each.topic, schedule } })}
              />
            ))}
            {each.pending.map((oneOff) => (
              <OneOffRow
                key={oneOff.notification_id}
                oneOff={oneOff}
                act={act}
                onEdit={() => setForm({ edited: { topic: each.topic, oneOff } })}
              />
            ))}
          </ul>
          {topic === each.topic && <TopicHistory hub={hub} server={server} topic={each.topic} />}
        </section>
      ))}
      {all && all.letters.length > 0 && <DeadLetters letters={all.letters} act={act} />}
    </>
  );
}

interface DeadLettersProps {
  letters: AllSchedules['letters'];
  act(this: void, action: ScheduleAction, id: string): void;
}

function DeadLetters({ letters, act }: DeadLettersProps): JSX.Element {
  return (
    <section class="card topic" aria-label="Dead letters">
      <h2>Dead letters</h2>
      <ul class="plain">
        {letters.map(({ dead_letter_id: id, topic, notification_body, reason, at }) => (
          <li key={id} class="schedule" aria-label={notification_body}>
            <div class="what">
              <strong>{notification_body}</strong>
              <span class="faint">
                {topic}, given up {inLocalTime(at)}
              </span>
              <span class="reason bad">{reason}</span>
            </div>
            <div class="does">
              <button type="button" class="button" onClick={() => act('resend_notification', id)}>
                Send again
              </button>
              <button type="button" class="button" onClick={() => act('delete_schedule', id)}>
                Delete
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
