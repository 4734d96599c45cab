// A form to create or change a schedule or a one-off. The server validates it.
import type { ShownOneOff, ShownSchedule } from '@tidings/client/contract';
import { systemClock } from '@tidings/live/time';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type ShownDestination, type WantedSchedule, saveSchedule } from '../../hub/schedules.ts';
import { LabelledField, FormDialog, textIn } from '../element/form-dialog.tsx';
import { localTimeOf } from '../element/local-time.ts';

/** The schedule or one-off to change; undefined for a new one. */
export type Edited = { topic: string; schedule: ShownSchedule } | { topic: string; oneOff: ShownOneOff } | undefined;

interface ScheduleDialogProps {
  server: string;
  destinations: readonly ShownDestination[];
  edited: Edited;
  onSaved(this: void): void;
  onClose(this: void): void;
}

export function ScheduleDialog({ server, destinations, edited, onSaved, onClose }: ScheduleDialogProps): JSX.Element {
  const [isRecurring, setRecurring] = useState(edited === undefined || 'schedule' in edited);
  const save = async (form: FormData) => {
    await saveSchedule(server, wantedIn(form, edited, isRecurring));
    onSaved();
  };
  const title = edited === undefined ? 'New schedule' : 'Change the schedule';
  const schedule = edited && 'schedule' in edited ? edited.schedule : undefined;
  const oneOff = edited && 'oneOff' in edited ? edited.oneOff : undefined;
  const usual = schedule ?? oneOff;
  const known = usual?.destination;
  const isUnknown = known !== undefined && !destinations.some(({ name }) => name === known);
  return (
    <FormDialog title={title} action={{ does: 'Save', doing: 'Saving…' }} send={save} onClose={onClose}>
      {edited === undefined && (
        <>
          <LabelledField label="Topic">
            <input name="notification_topic" class="search" placeholder="team-alerts" autocomplete="off" />
          </LabelledField>
          <LabelledField label="Repeats">
            <select name="kind" onChange={({ currentTarget }) => setRecurring(currentTarget.value === 'recurring')}>
              <option value="recurring">Again and again</option>
              <option value="once">Once</option>
            </select>
          </LabelledField>
        </>
      )}
      <LabelledField label="Message" isWide>
        <input name="message" class="search" defaultValue={usual?.notification_body ?? ''} autocomplete="off" />
      </LabelledField>
      {isRecurring ? (
        <>
          <LabelledField label="Cron expression">
            <input
              name="cron"
              class="search"
              defaultValue={schedule?.cron_expression ?? '0 9 * * 1-5'}
              autocomplete="off"
              spellcheck={false}
            />
          </LabelledField>
          <LabelledField label="Time zone">
            <input
              name="timezone"
              class="search"
              defaultValue={schedule?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
              autocomplete="off"
              spellcheck={false}
            />
          </LabelledField>
          <LabelledField label="Label">
            <input name="label" class="search" defaultValue={schedule?.label ?? ''} autocomplete="off" />
          </LabelledField>
        </>
      ) : (
        <LabelledField label="When">
          <input
            name="datetime"
            class="search"
            type="datetime-local"
            step="1"
            defaultValue={localTimeOf(oneOff?.due ?? inTenMinutes())}
          />
        </LabelledField>
      )}
      <LabelledField label="Destination">
        <select name="destination">
          <option value="">As the topic</option>
          {isUnknown && (
            <option value={known} selected>
              {`${known}: no longer a destination`}
            </option>
          )}
          {destinations.map(({ name, to }) => (
            <option key={name} value={name} selected={name === known}>
              {`${name}: ${to}`}
            </option>
          ))}
        </select>
      </LabelledField>
    </FormDialog>
  );
}

/** For an existing schedule or one-off, only the changed fields. */
function wantedIn(form: FormData, edited: Edited, isRecurring: boolean): WantedSchedule {
  const text = (name: string) => textIn(form, name) ?? '';
  const when = text('datetime');
  const fields = {
    message: text('message'),
    ...(isRecurring && { cron: text('cron'), timezone: text('timezone') }),
    ...(!isRecurring && when !== '' && { datetime: new Date(when).toISOString() }),
  };
  const [label, destination] = [textIn(form, 'label'), textIn(form, 'destination')];
  if (edited === undefined) {
    const notification_topic = text('notification_topic');
    return { id: undefined, isRecurring, notification_topic, ...fields, ...(isRecurring && { label }), destination };
  }
  if ('schedule' in edited) {
    const { schedule } = edited;
    return {
      id: schedule.schedule_id,
      isRecurring,
      ...different(fields, {
        message: schedule.notification_body,
        cron: schedule.cron_expression,
        timezone: schedule.timezone,
      }),
      ...different({ label: label ?? null }, { label: schedule.label }),
      ...different({ destination: destination ?? null }, { destination: schedule.destination ?? null }),
    };
  }
  const { oneOff } = edited;
  const isSameTime = when === localTimeOf(oneOff.due);
  return {
    id: oneOff.notification_id,
    isRecurring,
    ...different({ message: fields.message }, { message: oneOff.notification_body }),
    ...(!isSameTime && 'datetime' in fields && { datetime: fields.datetime }),
    ...different({ destination: destination ?? null }, { destination: oneOff.destination ?? null }),
  };
}

function different<Fields extends object>(wanted: Fields, known: Record<string, unknown>): Partial<Fields> {
  const entries = Object.entries(wanted).filter(([key, value]) => known[key] !== value);
  const found: Partial<Fields> = {};
  return Object.assign(found, Object.fromEntries(entries));
}

/** The initial time of a new one-off. */
function inTenMinutes(): string {
  return new Date(systemClock.date() + 600_000).toISOString();
}
