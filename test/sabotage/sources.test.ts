import { areCaught } from './broken-sources.ts';
import { clientSabotages } from './client.ts';
import { hubSabotages } from './hub.ts';
import { obsSabotages, schedulesSabotages, vconSabotages } from './servers.ts';
import { storeSabotages } from './store.ts';
import { trackerSabotages } from './tracker.ts';

areCaught({
  'a store': storeSabotages,
  'a client of the hub': clientSabotages,
  'a tracker': trackerSabotages,
  'a hub': hubSabotages,
  'a schedules server': schedulesSabotages,
  'a vCon server': vconSabotages,
  'an OBS server': obsSabotages,
});
