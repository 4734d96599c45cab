// Faults of a cluster: of one node, of that node's connections, of PostgreSQL and of NATS.
import type { FaultyProxy } from '../../support/network/faulty-proxy.ts';
import type { Fault } from '../fault.ts';
import type { ChaosCluster } from './cluster.ts';
import type { ClusterNode } from './node.ts';

/** The target of a fault: the cluster, and one of its nodes for the faults that affect a node. */
export interface ClusterTarget {
  cluster: ChaosCluster;
  node: ClusterNode;
}

type Link = 'database' | 'bus' | 'clients' | 'peers';

const always = () => true;
const hourMs = 3_600_000;
const linkNames: Readonly<Record<Link, string>> = {
  database: 'PostgreSQL',
  bus: 'NATS',
  clients: 'its clients',
  peers: 'the other nodes',
};

/** A refused connection fails at once; the loss of packets is noticed only by a timeout. */
function cutOff(link: Link): Fault<ClusterTarget>[] {
  const proxy = ({ node }: ClusterTarget): FaultyProxy => node[link];
  return [
    {
      name: `node refused by ${linkNames[link]}`,
      suits: always,
      begin: (target) => {
        proxy(target).affectNew('refuse');
        proxy(target).cut();
      },
      end: (target) => proxy(target).mend(),
      lastsMs: { from: 500, to: 10_000 },
    },
    {
      name: `node cut off from ${linkNames[link]}`,
      suits: always,
      begin: (target) => {
        proxy(target).affect('stall');
        proxy(target).affectNew('stall');
      },
      end: (target) => proxy(target).mend(),
      lastsMs: { from: 500, to: 10_000 },
    },
  ];
}

function ended(name: string, signal: 'SIGKILL' | 'SIGTERM'): Fault<ClusterTarget> {
  return {
    name,
    suits: always,
    begin: ({ node }) => node.end(signal),
    end: ({ node }) => node.start(),
    lastsMs: { from: 0, to: 10_000 },
  };
}

function restarted(name: string, signal: 'SIGINT' | 'SIGKILL'): Fault<ClusterTarget> {
  return {
    name,
    suits: always,
    begin: ({ cluster }) => cluster.postgres.down(signal),
    end: ({ cluster }) => cluster.postgres.up(),
    lastsMs: { from: 0, to: 8000 },
  };
}

function clockSet(name: string, aheadMs: number): Fault<ClusterTarget> {
  return {
    name,
    suits: always,
    begin: ({ node }) => node.setClock(aheadMs),
    end: ({ node }) => node.setClock(0),
    lastsMs: { from: 2000, to: 10_000 },
  };
}

export const clusterFaults: readonly Fault<ClusterTarget>[] = [
  ended('kill -9 of a node', 'SIGKILL'),
  ended('SIGTERM of a node', 'SIGTERM'),
  {
    name: 'kill -9 of the other two nodes',
    suits: always,
    begin: async ({ cluster, node }) => {
      await Promise.all(others(cluster, node).map((other) => other.end('SIGKILL')));
    },
    end: async ({ cluster, node }) => {
      await Promise.all(others(cluster, node).map((other) => other.start()));
    },
    lastsMs: { from: 0, to: 10_000 },
  },
  {
    name: 'freeze of a node (SIGSTOP)',
    suits: always,
    begin: ({ node }) => node.signal('SIGSTOP'),
    end: ({ node }) => node.signal('SIGCONT'),
    lastsMs: { from: 500, to: 12_000 },
  },
  {
    name: 'restart of NATS',
    suits: always,
    begin: ({ cluster }) => cluster.nats.down(),
    end: ({ cluster }) => cluster.nats.up(),
    lastsMs: { from: 0, to: 8000 },
  },
  restarted('restart of PostgreSQL', 'SIGINT'),
  restarted('crash of PostgreSQL', 'SIGKILL'),
  ...(['database', 'bus', 'clients', 'peers'] as const).flatMap(cutOff),
  {
    name: 'reset of all clients (RST)',
    suits: always,
    begin: ({ cluster }) => {
      for (const { clients } of cluster.nodes) clients.cut();
    },
  },
  clockSet('clock of a node an hour ahead', hourMs),
  clockSet('clock of a node an hour behind', -hourMs),
];

function others(cluster: ChaosCluster, node: ClusterNode): ClusterNode[] {
  return cluster.nodes.filter((each) => each !== node);
}
