// How large a run is. The bars hold for both; the full sizes are for a quiet machine and a long coffee.

export const usual = {
  runs: 7,
  streams: 1000,
  manyStreams: 5000,
  stalledUpdates: 200_000,
  idleStreams: 2000,
  heapRuns: 3,
  reads: 2000,
  vcons: { few: 10_000, many: 100_000 },
  tracked: 1000,
  changesPerSecond: 200,
  latencyRuns: 5,
  upstreams: 50,
  resourcesEach: 200,
  coldStarts: 3,
  hub: { runs: 3, reads: 150, updates: 50, clients: 500, starts: 3 },
  agents: { sessions: 50, perSecond: 500, items: 1100, runs: 2 },
};

export const full = {
  runs: 15,
  streams: 5000,
  manyStreams: 15_000,
  stalledUpdates: 1_000_000,
  idleStreams: 10_000,
  heapRuns: 5,
  reads: 4000,
  vcons: { few: 10_000, many: 1_000_000 },
  tracked: 5000,
  changesPerSecond: 500,
  latencyRuns: 11,
  upstreams: 200,
  resourcesEach: 200,
  coldStarts: 5,
  hub: { runs: 11, reads: 500, updates: 200, clients: 500, starts: 5 },
  agents: { sessions: 50, perSecond: 500, items: 2500, runs: 9 },
};
