// Connects the buses of two processes in one, with the installed packages, and prints what the second one receives.
import { NatsFeed, openNatsBus } from '@tidings/bus';

const [here, there] = [openNatsBus(process.argv[2]), openNatsBus(process.argv[2])];
await Promise.all([here, there].map((bus) => new Promise((resolve) => void bus.onGap(resolve))));
const feed = new NatsFeed(there, 'pack');
const told = new Promise((resolve) => {
  feed.follow({ change: ({ topics }) => resolve(topics.join()), gap: () => undefined });
});
await feed.want('note://a').ready;
new NatsFeed(here, 'pack').announce(['note://a']);
console.log(await told);
await Promise.all([here.close(), there.close()]);
