// The last minute as a bar chart, one bar for each second. Sixty rectangles need no library.
import type { JSX } from 'preact';

interface ChartProps {
  title: string;
  /** Oldest first; undefined where nothing was measured. */
  values: readonly (number | undefined)[];
  unit: string;
  tone: 'rate' | 'latency' | 'error';
}

const height = 44;

export function Chart({ title, values, unit, tone }: ChartProps): JSX.Element {
  const known = values.filter((value) => value !== undefined);
  const most = Math.max(0, ...known);
  const scale = Math.max(1, most);
  const last = known.at(-1) ?? 0;
  const rounded = (value: number) => Math.round(value * 10) / 10;
  const label = `${title}, last minute: now ${rounded(last)} ${unit}, at most ${rounded(most)} ${unit}`;
  return (
    <figure class="chart">
      <figcaption>
        <span>
          {title} <span class="faint wide-only">last minute</span>
        </span>
        <span class="faint">{known.length === 0 ? 'nothing measured yet' : `max ${rounded(most)} ${unit}`}</span>
      </figcaption>
      <svg viewBox={`0 0 ${values.length * 5} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {values.map((value, index) => {
          const size = value === undefined ? 0 : Math.max(value > 0 ? 2 : 0.5, (value / scale) * height);
          return <rect key={index} class={tone} x={index * 5} y={height - size} width="4" height={size} rx="1" />;
        })}
      </svg>
    </figure>
  );
}
