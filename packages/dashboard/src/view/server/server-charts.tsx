// The last minute of one server: the numbers of updates and errors, and the latency of updates.
import type { JSX } from 'preact';
import type { HubState } from '../../state/hub-state.ts';
import { Chart } from '../element/chart.tsx';

export function ServerCharts({ id, hub, now }: { id: string; hub: HubState; now: number }): JSX.Element {
  const seconds = hub.timeline.seconds(now, id);
  return (
    <div class="charts">
      <Chart title="Updates per second" unit="/s" tone="rate" values={seconds.map(({ updates }) => updates)} />
      <Chart title="Delivery" unit="ms" tone="latency" values={seconds.map(({ latencyMs }) => latencyMs)} />
      <Chart title="Errors" unit="/s" tone="error" values={seconds.map(({ errors }) => errors)} />
    </div>
  );
}
