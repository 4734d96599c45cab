// The states of a connection as a total table: the next state for every state and event. SPEC.md explains the states;
// server-connection.ts acts on them.
import type { ServerState } from '@tidings/client/contract';

export type State = 'disabled' | 'opening' | 'syncing' | 'live' | 'unsupported' | 'backoff' | 'needs_login' | 'stopped';

export type Event =
  /** The configuration enables this server. */
  | 'enable'
  /** The configuration disables or removes the server. */
  | 'disable'
  /** The handshake is done. */
  | 'opened'
  /** Everything wanted is subscribed to or polled. */
  | 'synced'
  /** The server is connected, but has no resources to track. */
  | 'refused'
  /** The connection failed. */
  | 'failed'
  /** The server requires a login that it was not given, or does not accept the one it was given. */
  | 'unauthorized'
  /** The connection was lost. */
  | 'lost'
  /** The pause before the next attempt is over. */
  | 'retry'
  /** The configuration has changed how the server is reached. */
  | 'restart'
  /** The tracker closes. */
  | 'stop';

/** `stay` does nothing. A state's own name enters it again. */
export const transitions: Readonly<Record<State, Readonly<Record<Event, State | 'stay'>>>> = {
  disabled: {
    enable: 'opening',
    disable: 'stay',
    opened: 'stay',
    synced: 'stay',
    refused: 'stay',
    failed: 'stay',
    unauthorized: 'stay',
    lost: 'stay',
    retry: 'stay',
    restart: 'stay',
    stop: 'stopped',
  },
  opening: {
    enable: 'stay',
    disable: 'disabled',
    opened: 'syncing',
    synced: 'stay',
    refused: 'stay',
    failed: 'backoff',
    unauthorized: 'needs_login',
    lost: 'backoff',
    retry: 'stay',
    restart: 'opening',
    stop: 'stopped',
  },
  syncing: {
    enable: 'stay',
    disable: 'disabled',
    opened: 'stay',
    synced: 'live',
    refused: 'unsupported',
    failed: 'backoff',
    unauthorized: 'needs_login',
    lost: 'backoff',
    retry: 'stay',
    restart: 'opening',
    stop: 'stopped',
  },
  live: {
    enable: 'stay',
    disable: 'disabled',
    opened: 'stay',
    synced: 'stay',
    refused: 'unsupported',
    failed: 'backoff',
    unauthorized: 'needs_login',
    lost: 'backoff',
    retry: 'stay',
    restart: 'opening',
    stop: 'stopped',
  },
  unsupported: {
    enable: 'stay',
    disable: 'disabled',
    opened: 'stay',
    synced: 'live',
    refused: 'stay',
    failed: 'backoff',
    unauthorized: 'needs_login',
    lost: 'backoff',
    retry: 'stay',
    restart: 'opening',
    stop: 'stopped',
  },
  backoff: {
    enable: 'stay',
    disable: 'disabled',
    opened: 'stay',
    synced: 'stay',
    refused: 'stay',
    failed: 'stay',
    unauthorized: 'stay',
    lost: 'stay',
    retry: 'opening',
    restart: 'opening',
    stop: 'stopped',
  },
  needs_login: {
    enable: 'stay',
    disable: 'disabled',
    opened: 'stay',
    synced: 'stay',
    refused: 'stay',
    failed: 'stay',
    unauthorized: 'stay',
    lost: 'stay',
    retry: 'opening',
    restart: 'opening',
    stop: 'stopped',
  },
  stopped: {
    enable: 'stay',
    disable: 'stay',
    opened: 'stay',
    synced: 'stay',
    refused: 'stay',
    failed: 'stay',
    unauthorized: 'stay',
    lost: 'stay',
    retry: 'stay',
    restart: 'stay',
    stop: 'stay',
  },
};

/** States in which a connection is open or being opened. */
const connects: Readonly<Record<State, boolean>> = {
  disabled: false,
  opening: true,
  syncing: true,
  live: true,
  unsupported: true,
  backoff: false,
  needs_login: false,
  stopped: false,
};

export interface Step {
  state: State;
  /** What to do, in this order. */
  close: boolean;
  open: boolean;
  wait: boolean;
}

/** The step that an event causes; undefined if none. */
export function step(from: State, event: Event): Step | undefined {
  const to = transitions[from][event];
  if (to === 'stay') return undefined;
  const opens = to === 'opening';
  const wait = to === 'backoff' || to === 'needs_login';
  return { state: to, close: connects[from] && (opens || !connects[to]), open: opens, wait };
}

/** The state as shown to users. */
export function publicState(state: State): ServerState {
  return state === 'opening' || state === 'syncing' ? 'connecting' : state;
}
