// Starts the servers that a row compares, and stops them afterwards, also after a failure.
import { Rig } from '../rig.js';

export async function withRigs(plans, work) {
  const rigs = {};
  try {
    for (const [name, { variant = name, options, interests = [] }] of Object.entries(plans)) {
      rigs[name] = await Rig.start(variant, options);
      await rigs[name].open(interests);
    }
    return await work(rigs);
  } finally {
    for (const rig of Object.values(rigs)) await rig.stop();
  }
}
