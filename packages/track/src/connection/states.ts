// The life of a connection as a total table: for every state, what every event leads to. SPEC.md says
// what the states mean; connection.ts does what entering one asks for.

export type State = 'disabled' | 'opening' | 'syncing' | 'live' | 'unsupported' | 'backoff' | 'stopped';

export type Event =
  /** The configuration wants this server. */
  | 'enable'
  /** The configuration does not want it any more. */
  | 'disable'
  /** The server is reached and says what it can do. */
  | 'opened'
  /** What is wanted of it is in force. */
  | 'synced'
  /** Its resources are wanted, and it has none. */
  | 'refused'
  /** It could not be reached. */
  | 'failed'
  /** It was reached, and is gone. */
  | 'lost'
  /** The wait before the next attempt is over. */
  | 'retry'
  /** The configuration reaches it another way. */
  | 'restart'
  /** The tracker closes. */
  | 'stop';

/** `stay` does nothing. Naming the state itself enters it again. */
export const table: Readonly<Record<State, Readonly<Record<Event, State | 'stay'>>>> = {
  disabled: {
    enable: 'opening',
    disable: 'stay',
    opened: 'stay',
    synced: 'stay',
    refused: 'stay',
    failed: 'stay',
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
    lost: 'stay',
    retry: 'stay',
    restart: 'stay',
    stop: 'stay',
  },
};

/** Whether there is a connection, or one being made. */
const connects: Readonly<Record<State, boolean>> = {
  disabled: false,
  opening: true,
  syncing: true,
  live: true,
  unsupported: true,
  backoff: false,
  stopped: false,
};

export interface Step {
  state: State;
  /** What to do, in this order. */
  close: boolean;
  open: boolean;
  wait: boolean;
}

/** What an event leads to, or nothing. */
export function step(from: State, event: Event): Step | undefined {
  const to = table[from][event];
  if (to === 'stay') return undefined;
  const opens = to === 'opening';
  return { state: to, close: connects[from] && (opens || !connects[to]), open: opens, wait: to === 'backoff' };
}

/** The states as the outside knows them. */
export type PublicState = 'live' | 'connecting' | 'backoff' | 'unsupported' | 'disabled' | 'stopped';

export function publicState(state: State): PublicState {
  return state === 'opening' || state === 'syncing' ? 'connecting' : state;
}
