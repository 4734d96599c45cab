// Upgrades the store in the given folder; nothing else keeps its process alive.
import { systemClock } from '@tidings/live';
import { openStore } from '@tidings/store';

const clock = {
  ...systemClock,
  after: (ms, task) => {
    console.log('waiting');
    return systemClock.after(ms, task);
  },
};
const migrations = [{ name: 'notes', up: ({ run }) => run('create table note (id text)') }];
const store = await openStore(process.argv[2], { name: 'notes', migrations, clock });
console.log('opened');
await store.close();
