// Names and values, one pair per line.
import type { ComponentChildren, JSX } from 'preact';

export type Fact = readonly [name: string, value: ComponentChildren];

export function Facts({ facts }: { facts: readonly Fact[] }): JSX.Element {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
