// One schedule or one-off of a topic, with its actions.
import type { ComponentChildren, JSX } from 'preact';
import type { ShownOneOff, ShownSchedule } from '@tidings/client/contract';
import type { ScheduleAction } from '../../hub/schedules.ts';

interface RowProps {
  onEdit(this: void): void;
  act(this: void, action: ScheduleAction, id: string): void;
}

export function ScheduleRow({ schedule, onEdit, act }: RowProps & { schedule: ShownSchedule }): JSX.Element {
  const { schedule_id: id, status, label, cron_expression, timezone, next_occurrence } = schedule;
  const isPaused = status === 'paused';
  const pausing = isPaused
    ? ({ does: 'Resume', action: 'resume_schedule' } as const)
    : ({ does: 'Pause', action: 'pause_schedule' } as const);
  return (
    <Row
      of={schedule}
      id={id}
      status={{ text: status, kind: isPaused ? 'wait' : 'good' }}
      {...{ pausing, onEdit, act }}
    >
      <span class="faint">
        <code>{cron_expression}</code> {timezone}
        {label !== null && ` · ${label}`}
        <Destination of={schedule} />
      </span>
      <span class="faint">{next_occurrence === null ? 'No next time' : `Next ${inLocalTime(next_occurrence)}`}</span>
    </Row>
  );
}

export function OneOffRow({ oneOff, onEdit, act }: RowProps & { oneOff: ShownOneOff }): JSX.Element {
  const { notification_id: id, due, status } = oneOff;
  const isWaiting = status === 'pending';
  const shownStatus = { text: isWaiting ? 'waiting' : status, kind: isWaiting ? 'good' : 'bad' } as const;
  return (
    <Row of={oneOff} id={id} status={shownStatus} {...{ onEdit, act }}>
      <span class="faint">
        Once, {inLocalTime(due)}
        <Destination of={oneOff} />
      </span>
    </Row>
  );
}

interface AnyRowProps extends RowProps {
  of: ShownSchedule | ShownOneOff;
  id: string;
  status: { text: string; kind: 'good' | 'wait' | 'bad' };
  /** A one-off cannot be paused. */
  pausing?: { does: string; action: ScheduleAction };
  children: ComponentChildren;
}

function Row({ of: { notification_body: name, ...rest }, id, status, pausing, onEdit, act, children }: AnyRowProps) {
  return (
    <li class="schedule" aria-label={name}>
      <div class="what">
        <strong>{name}</strong>
        <span class={`badge ${status.kind}`}>
          <span class="dot" aria-hidden="true" />
          {status.text}
        </span>
        {children}
        <LastDelivery last={rest.last_delivery} />
      </div>
      <div class="does">
        <Button does="Send now" onClick={() => act('fire_schedule', id)} />
        <Button does="Edit" onClick={onEdit} />
        {pausing && <Button does={pausing.does} onClick={() => act(pausing.action, id)} />}
        <Button does="Delete" onClick={() => act('delete_schedule', id)} />
      </div>
    </li>
  );
}

function Button({ does, onClick }: { does: string; onClick(this: void): void }): JSX.Element {
  return (
    <button type="button" class="button" onClick={onClick}>
      {does}
    </button>
  );
}

function Destination({ of: { destination } }: { of: ShownSchedule | ShownOneOff }): JSX.Element | null {
  return destination === undefined ? null : <>{` · to ${destination}`}</>;
}

function LastDelivery({ last }: { last: ShownSchedule['last_delivery'] }): JSX.Element | null {
  if (last === undefined) return null;
  const isGood = last.status === 'delivered';
  return (
    <span class={isGood ? 'faint' : 'reason bad'}>
      {`Last: ${last.status} ${inLocalTime(last.at)}`}
      {last.reason !== undefined && `. ${last.reason}`}
    </span>
  );
}

/** In the browser's time zone. */
export function inLocalTime(moment: string): string {
  return new Date(moment).toLocaleString();
}
