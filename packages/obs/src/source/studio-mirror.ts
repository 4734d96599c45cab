// The studio in memory, kept equal to OBS. Events are applied as they arrive; missing details are read. Events that
// arrive during a read are applied again to its result, since OBS may have answered before or after any of them; after a
// rename the parts are read again instead.
import type { Clock, Log, Timer } from '@tidings/live';
import { messageOf } from '@tidings/live/portable';
import { eventLine } from '../model/event-line.ts';
import type { ObsEvent } from '../model/event.ts';
import { type Need, needKey, needsOfEvent, needsOfPart, wholeStudio } from '../model/need.ts';
import { merge } from '../model/part.ts';
import { reduce } from '../model/reduce.ts';
import { type Studio, emptyStudio } from '../model/studio.ts';
import { NotReady, type ReadableSession, readParts } from './read-parts.ts';
import { HeldRemovals } from './held-removals.ts';

interface MirrorOptions {
  clock: Clock;
  log: Log;
  /** The studio has changed. */
  onChange(this: void): void;
}

/**
 * `reading`: everything is being read. `frozen`: OBS removes everything, to exit or to load another scene collection.
 */
type Mode = 'detached' | 'reading' | 'live' | 'frozen';

/** The pause before the next read while OBS has no studio. */
const notReadyMs = 200;
/** A change of the scene collection that takes longer is read anyway. */
const frozenMs = 20_000;

interface WaitingReader {
  /** Whether the last known values are sufficient if OBS cannot be read for a while. */
  readonly isOptional: boolean;
  resolve(this: void): void;
  reject(this: void, reason: unknown): void;
}

export class StudioMirror {
  readonly #options: MirrorOptions;
  readonly #heldRemovals: HeldRemovals;
  readonly #queue = new Map<string, Need>();
  #studio: Studio = emptyStudio;
  #session: ReadableSession | undefined;
  #mode: Mode = 'detached';
  #timer: Timer | undefined;
  /** Events since the current read began. */
  #eventsDuringRead: ObsEvent[] = [];
  /** Inputs that were removed during a freeze, and not created again. */
  readonly #gone = new Set<string>();
  #isReading = false;
  #waiting: WaitingReader[] = [];

  constructor(options: MirrorOptions) {
    this.#options = options;
    this.#heldRemovals = new HeldRemovals(options.clock, {
      apply: (events) => {
        for (const event of events) this.#apply(event);
        this.#pump();
      },
      giveUp: () => this.#readWhole(),
    });
  }

  /** The last known studio. */
  get studio(): Studio {
    return this.#studio;
  }

  /** Whether the studio matches OBS. */
  get isCurrent(): boolean {
    return this.#mode === 'live' || this.#mode === 'frozen';
  }

  attach(session: ReadableSession): void {
    this.#session = session;
    // Inputs that OBS kept after their removal may exist again after its restart.
    this.#studio = { ...this.#studio, removedInputs: new Set() };
    this.#readWhole();
  }

  detach(reason: unknown): void {
    this.#session = undefined;
    this.#mode = 'detached';
    this.#timer?.cancel();
    this.#heldRemovals.clear();
    this.#queue.clear();
    this.#settle(({ reject }) => reject(reason));
  }

  event(event: ObsEvent): void {
    if (this.#mode === 'detached') return;
    if (event.type === 'CurrentSceneCollectionChanged') {
      this.#report(event);
      // OBS may still list inputs of the old collection for a while.
      this.#studio = { ...this.#studio, removedInputs: new Set(this.#gone) };
      return this.#readWhole();
    }
    if (event.type === 'CurrentSceneCollectionChanging' || event.type === 'ExitStarted') {
      this.#report(event);
      return this.#freeze();
    }
    if (this.#mode === 'frozen' && event.type === 'InputRemoved') this.#gone.add(event.data.inputName);
    if (this.#mode === 'frozen' && event.type === 'InputCreated') this.#gone.delete(event.data.inputName);
    if (this.#mode === 'reading') this.#eventsDuringRead.push(event);
    else if (this.#mode === 'live' && !this.#heldRemovals.takes(event, this.#studio.scenes)) this.#apply(event);
  }

  /** Reads these parts; resolves when they are in the studio or, if `isOptional`, also when a freeze begins. */
  refresh(needs: readonly Need[], isOptional = false): Promise<void> {
    if (this.#mode === 'detached') return Promise.reject(new Error('OBS is not connected.'));
    if (needs.length === 0 || (isOptional && this.#mode === 'frozen')) return Promise.resolve();
    for (const need of needs) this.#queue.set(needKey(need), need);
    const read = new Promise<void>((resolve, reject) => this.#waiting.push({ isOptional, resolve, reject }));
    this.#pump();
    return read;
  }

  #apply(event: ObsEvent): void {
    if (this.#isReading) this.#eventsDuringRead.push(event);
    const needs = needsOfEvent(this.#studio, event);
    this.#report(event);
    this.#become(reduce(this.#studio, event));
    for (const need of needs) this.#queue.set(needKey(need), need);
    if (needs.length > 0) this.#pump();
  }

  #report(event: ObsEvent): void {
    const line = eventLine(this.#studio, event);
    if (line !== undefined) this.#options.log.info?.({}, line);
  }

  #become(studio: Studio): void {
    if (studio === this.#studio) return;
    this.#studio = studio;
    this.#options.onChange();
  }

  /** From now on OBS removes everything, one by one: those events are ignored. */
  #freeze(): void {
    this.#mode = 'frozen';
    this.#gone.clear();
    this.#heldRemovals.clear();
    this.#settle(
      ({ resolve }) => resolve(),
      ({ isOptional }) => isOptional,
    );
    this.#timer?.cancel();
    this.#timer = this.#options.clock.after(frozenMs, () => this.#readWhole());
  }

  #readWhole(): void {
    const session = this.#session;
    if (session === undefined) return;
    this.#timer?.cancel();
    this.#heldRemovals.clear();
    this.#mode = 'reading';
    const events: ObsEvent[] = [];
    this.#eventsDuringRead = events;
    const isOutdated = () => this.#session !== session || this.#eventsDuringRead !== events;
    const { removedInputs, devices } = this.#studio;
    readWholeStudio(session, { ...emptyStudio, removedInputs, devices })
      .then((studio) => {
        if (isOutdated()) return;
        this.#mode = 'live';
        for (const event of events) this.#report(event);
        this.#become(events.reduce(reduce, studio));
        for (const need of events.flatMap((event) => needsOfEvent(studio, event))) this.#queue.set(needKey(need), need);
        // Listeners are called even if nothing differs: the state has changed.
        this.#options.onChange();
        this.#pump();
      })
      .catch((error: unknown) => {
        if (isOutdated()) return;
        if (error instanceof NotReady) this.#timer = this.#options.clock.after(notReadyMs, () => this.#readWhole());
        else this.#fail(session, error);
      });
  }

  /** Reads one batch at a time, with all parts that are needed by then. */
  #pump(): void {
    const session = this.#session;
    if (session === undefined || this.#mode !== 'live' || this.#isReading || this.#heldRemovals.isActive) return;
    if (this.#queue.size === 0) return this.#settle(({ resolve }) => resolve());
    const needs = [...this.#queue.values()];
    this.#queue.clear();
    this.#isReading = true;
    const events: ObsEvent[] = [];
    this.#eventsDuringRead = events;
    // Responses of an OBS that may be exiting are discarded, too.
    const isOutdated = () =>
      this.#session !== session ||
      this.#eventsDuringRead !== events ||
      this.#mode !== 'live' ||
      this.#heldRemovals.isActive;
    readParts(session, needs)
      .then((parts) => {
        this.#isReading = false;
        if (isOutdated()) return this.#again(needs);
        // A list from before the rename, merged now, would remove the new name from every scene.
        if (events.some(isRename)) return this.#queueAgain(needs);
        const studio = parts.reduce(merge, this.#studio);
        this.#become(events.reduce(reduce, studio));
        for (const need of parts.flatMap((part) => needsOfPart(studio, part))) this.#queue.set(needKey(need), need);
        this.#pump();
      })
      .catch((error: unknown) => {
        this.#isReading = false;
        if (isOutdated()) return this.#again(needs);
        if (error instanceof NotReady) this.#readWhole();
        else this.#fail(session, error);
      });
  }

  /** The result belongs to an earlier studio, so callers wait for another read. */
  #again(needs: readonly Need[]): void {
    if (this.#waiting.length > 0 || this.#heldRemovals.isActive) this.#queueAgain(needs);
    else this.#pump();
  }

  #queueAgain(needs: readonly Need[]): void {
    for (const need of needs) this.#queue.set(needKey(need), need);
    this.#pump();
  }

  /** An incomplete mirror would be wrong: a new session reads everything again. */
  #fail(session: ReadableSession, error: unknown): void {
    const reason = messageOf(error);
    this.#options.log.warn({ reason }, 'OBS could not be read; connecting again.');
    session.close();
  }

  #settle(end: (waiting: WaitingReader) => void, which: (waiting: WaitingReader) => boolean = () => true): void {
    const all = this.#waiting;
    this.#waiting = all.filter((waiting) => !which(waiting));
    for (const waiting of all) if (which(waiting)) end(waiting);
  }
}

function isRename({ type }: ObsEvent): boolean {
  return type === 'SceneNameChanged' || type === 'InputNameChanged';
}

/** Reads in rounds of batches until every named object is known. `known` has the parts not read here. */
async function readWholeStudio(session: ReadableSession, known: Studio): Promise<Studio> {
  let studio = known;
  let needs: readonly Need[] = wholeStudio;
  while (needs.length > 0) {
    const parts = await readParts(session, needs);
    studio = parts.reduce(merge, studio);
    const current = studio;
    const next = parts.flatMap((part) => needsOfPart(current, part));
    needs = [...new Map(next.map((need) => [needKey(need), need])).values()];
  }
  return studio;
}
