// `node bench/obs.js`: the latency of updates from a real OBS, compared with a bare obs-websocket listener in the same
// run; the number of updates of a burst; the cost of five hundred sources. Needs OBS and Xvfb
// (scripts/install-test-tools.sh).
import { connectTo, startObs } from './obs/own-obs.js';
import { serve } from './obs/served.js';

const toggles = 300;
const burst = 1000;
const sources = 500;
const idleSeconds = 10;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const obs = await startObs();
const hand = await connectTo(obs.url);
const bare = await connectTo(obs.url);
try {
  await hand.call('CreateInput', { sceneName: 'Scene', inputName: 'Cam 0', inputKind: 'color_source_v3' });
  const few = await serve(obs.url);
  const latency = await latencies(few);
  const burstOfFew = await bursts(few);
  await few.stop();

  for (let number = 1; number < sources; number += 1) {
    const inputName = `Cam ${number}`;
    await hand.call('CreateInput', {
      sceneName: 'Scene',
      inputName,
      inputKind: 'color_source_v3',
      sceneItemEnabled: false,
    });
  }
  const many = await serve(obs.url);
  const latencyOfMany = await latencies(many);
  const burstOfMany = await bursts(many);
  const before = many.cpuSeconds();
  await pause(idleSeconds * 1000);
  const idle = ((many.cpuSeconds() - before) / idleSeconds) * 100;
  await many.stop();

  console.log(`A source is hidden or shown, ${toggles} times: ms from the request to its event or update, p50 / p99`);
  console.log(`  bare listener        ${latency.bare}    with ${sources} sources ${latencyOfMany.bare}`);
  console.log(`  subscribed client    ${latency.updated}    with ${sources} sources ${latencyOfMany.updated}`);
  console.log(`  what we add          ${latency.added}    with ${sources} sources ${latencyOfMany.added}`);
  console.log(`${burst} toggles at once`);
  for (const [name, { updated, perSecond, cpuUs, isRight }] of Object.entries({ few: burstOfFew, many: burstOfMany })) {
    const count = name === 'few' ? 1 : sources;
    console.log(
      `  ${count} sources: ${updated} notifications, ${perSecond.toFixed(1)} per second, ` +
        `${cpuUs.toFixed(0)} µs CPU per event, ${isRight ? 'right' : 'WRONG'} in the end`,
    );
  }
  console.log(
    `With ${sources} sources: ready after ${many.readyMs.toFixed(0)} ms (with one: ${few.readyMs.toFixed(0)} ms)`,
  );
  console.log(`  ${idle.toFixed(1)} % of a core while one source is watched and nothing happens`);
} finally {
  await Promise.all([hand.disconnect(), bare.disconnect()]);
  await obs.stop();
}

function toggle(count) {
  return hand.call('SetSceneItemEnabled', { sceneName: 'Scene', sceneItemId: 1, sceneItemEnabled: count % 2 === 0 });
}

/** Toggles are further apart than the window in which updates merge. */
async function latencies(server) {
  const subscription = await server.watch('obs://source/Scene/Cam%200');
  const samples = { bare: [], updated: [], added: [] };
  const at = { bare: 0, updated: 0 };
  const onBare = () => (at.bare = performance.now());
  const onUpdate = () => (at.updated = performance.now());
  bare.on('SceneItemEnableStateChanged', onBare);
  server.onUpdate(onUpdate);
  for (let count = 1; count <= toggles; count += 1) {
    Object.assign(at, { bare: 0, updated: 0 });
    const start = performance.now();
    await toggle(count);
    while (at.bare === 0 || at.updated === 0) await pause(1);
    samples.bare.push(at.bare - start);
    samples.updated.push(at.updated - start);
    samples.added.push(at.updated - at.bare);
    await pause(60);
  }
  bare.off('SceneItemEnableStateChanged', onBare);
  server.offUpdate(onUpdate);
  await subscription.close();
  return Object.fromEntries(Object.entries(samples).map(([name, all]) => [name, quantiles(all)]));
}

async function bursts(server) {
  const uri = 'obs://source/Scene/Cam%200';
  const subscription = await server.watch(uri);
  let updated = 0;
  const onUpdate = () => (updated += 1);
  server.onUpdate(onUpdate);
  const [start, cpu] = [performance.now(), server.cpuSeconds()];
  await Promise.all(Array.from({ length: burst }, (_, count) => toggle(count + 1)));
  // OBS carries out requests in parallel, so the final state is set by a separate last request.
  await toggle(0);
  // Merged updates arrive at the end of their window.
  await pause(200);
  const seconds = (performance.now() - start) / 1000;
  server.offUpdate(onUpdate);
  const { visible } = await server.read(uri);
  await subscription.close();
  const cpuUs = ((server.cpuSeconds() - cpu) * 1e6) / burst;
  return { updated, perSecond: updated / Math.max(1, seconds), cpuUs, isRight: visible === true };
}

function quantiles(samples) {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(2);
  return `${at(0.5)} / ${at(0.99)}`;
}
