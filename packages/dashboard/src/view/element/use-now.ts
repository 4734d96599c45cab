// The current time, updated once a second.
import { every, systemClock } from '@tidings/live/time';
import { useEffect, useState } from 'preact/hooks';

export function useNow(): number {
  const [now, setNow] = useState(() => systemClock.date());
  useEffect(() => {
    const timer = every(systemClock, 1000, () => setNow(systemClock.date()));
    return () => timer.cancel();
  }, []);
  return now;
}

/** "now", "5 s", "3 min", "2 h", "4 d". */
export function ago(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1000));
  if (seconds < 2) return 'now';
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** "just now", "5 s ago". */
export function agoInWords(at: number, now: number): string {
  const time = ago(at, now);
  return time === 'now' ? 'just now' : `${time} ago`;
}

/** "since just now", "for 5 s". */
export function durationInWords(since: number, now: number): string {
  const time = ago(since, now);
  return time === 'now' ? 'since just now' : `for ${time}`;
}
