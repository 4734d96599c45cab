import type { JSX } from 'preact';
import type { ViewName } from '../route.ts';

const paths: Readonly<Record<ViewName, string>> = {
  start: 'M12 3l2.6 5.8 6.4.6-4.8 4.2 1.4 6.2L12 16.6 6.4 19.8l1.4-6.2L3 9.4l6.4-.6z',
  servers: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  resources: 'M5 4v15h5M5 9h5M13 6.5h6v5h-6zM13 16.5h6v5h-6z',
  timeline: 'M3 12h4l3-7 4 14 3-7h4',
  schedules: 'M12 4a8 8 0 1 0 .01 0zM12 8v4.5l3 2',
  clients: 'M8 4v6M16 4v6M6 10h12v2a6 6 0 0 1-12 0zM12 18v3',
  sessions: 'M4 5h16v11H10l-5 4v-4H4zM8 9h8M8 12h5',
};

export function Icon({ name }: { name: ViewName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
