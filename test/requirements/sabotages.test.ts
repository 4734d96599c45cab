// Checks that each sabotage still has its place in the code and its test. `npm run prove` runs the sabotages, which
// takes minutes.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hubAccessSabotages } from '../sabotage/hub-access.ts';
import { hubGatewaySabotages } from '../sabotage/hub-gateway.ts';
import { kitSabotages } from '../sabotage/kit.ts';
import { obsSabotages, schedulesSabotages, vconSabotages } from '../sabotage/servers.ts';
import { storeSabotages } from '../sabotage/store.ts';
import { clientSabotages } from '../sabotage/client.ts';
import { trackerConnectionSabotages } from '../sabotage/tracker-connection.ts';
import { trackerUpdateSabotages } from '../sabotage/tracker-updates.ts';

const places = [
  ...kitSabotages.map(({ name, file, find }) => ({ name, file: `packages/live/dist/${file}`, find })),
  ...[
    storeSabotages,
    clientSabotages,
    trackerConnectionSabotages,
    trackerUpdateSabotages,
    hubGatewaySabotages,
    hubAccessSabotages,
    schedulesSabotages,
    vconSabotages,
    obsSabotages,
  ].flatMap(({ folder, sabotages }) =>
    sabotages.map(({ name, file, find }) => ({ name, file: `${folder}/src/${file}`, find })),
  ),
];

describe('a sabotage', () => {
  it.each(places)('has exactly one place: $name', ({ file, find }) => {
    expect(read(file).split(find)).toHaveLength(2);
  });
});

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
}
