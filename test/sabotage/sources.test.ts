import { areCaught } from './broken-sources.ts';
import { clientSabotages } from './client.ts';
import { hubAccessSabotages } from './hub-access.ts';
import { hubGatewaySabotages } from './hub-gateway.ts';
import { obsSabotages, schedulesSabotages, vconSabotages } from './servers.ts';
import { storeSabotages } from './store.ts';
import { trackerConnectionSabotages } from './tracker-connection.ts';
import { trackerUpdateSabotages } from './tracker-updates.ts';

areCaught({
  'a store': storeSabotages,
  'a client of the hub': clientSabotages,
  'a tracker that connects': trackerConnectionSabotages,
  'a tracker that reports': trackerUpdateSabotages,
  'a gateway': hubGatewaySabotages,
  'a boundary of the hub': hubAccessSabotages,
  'a schedules server': schedulesSabotages,
  'a vCon server': vconSabotages,
  'an OBS server': obsSabotages,
});
