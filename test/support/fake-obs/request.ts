// The interface of the fake OBS's request handlers.
import { z } from 'zod';
import type { FakeContainer, FakeFilter, FakeInput, FakeItem, FakeStudio } from './fake-studio.ts';

export interface FakeWorld {
  readonly studio: FakeStudio;
  /** Whether the simulated version sends events about settings. */
  readonly tellsSettings: boolean;
  emit(type: string, data?: object): void;
  /** Runs the task after the response to the request has been sent. */
  later(task: () => void): void;
}

export type Handler = (world: FakeWorld, data: Record<string, unknown>) => object | void;

/** An error response of obs-websocket. */
export class Declined extends Error {
  readonly code: number;

  constructor(code: number, comment: string) {
    super(comment);
    this.code = code;
  }
}

export function field<T>(data: Record<string, unknown>, name: string, form: z.ZodType<T>): T {
  if (data[name] === undefined) throw new Declined(300, `Your request is missing the \`${name}\` field.`);
  const { data: value, success } = form.safeParse(data[name]);
  if (!success) throw new Declined(401, `The field value of \`${name}\` has the wrong type.`);
  return value;
}

export function text(data: Record<string, unknown>, name: string): string {
  const value = field(data, name, z.string());
  if (value === '') throw new Declined(403, `The field value of \`${name}\` must not be empty.`);
  return value;
}

export const flag = (data: Record<string, unknown>, name: string) => field(data, name, z.boolean());
export const number = (data: Record<string, unknown>, name: string) => field(data, name, z.number());
export const settings = (data: Record<string, unknown>, name: string) =>
  field(data, name, z.record(z.string(), z.unknown()));

const missing = (name: string) => new Declined(600, `No source was found by the name of \`${name}\`.`);

export function sceneOf({ studio }: FakeWorld, data: Record<string, unknown>): FakeContainer {
  const name = text(data, 'sceneName');
  const scene = studio.scene(name);
  if (scene) return scene;
  throw studio.hasSource(name) ? new Declined(602, 'The specified source is not a scene.') : missing(name);
}

export function containerOf({ studio }: FakeWorld, data: Record<string, unknown>): FakeContainer {
  const name = text(data, 'sceneName');
  const container = studio.container(name);
  if (!container) throw missing(name);
  return container;
}

export function itemOf(world: FakeWorld, data: Record<string, unknown>): [FakeContainer, FakeItem] {
  const container = containerOf(world, data);
  const id = number(data, 'sceneItemId');
  const item = container.items.find((each) => each.id === id);
  if (item) return [container, item];
  throw new Declined(600, `No scene items were found in scene \`${container.name}\` with the ID \`${id}\`.`);
}

export function inputOf({ studio }: FakeWorld, data: Record<string, unknown>): [string, FakeInput] {
  const name = text(data, 'inputName');
  const input = studio.inputs.get(name);
  if (!input) throw missing(name);
  return [name, input];
}

export function soundOf(world: FakeWorld, data: Record<string, unknown>): [string, FakeInput] {
  const [name, input] = inputOf(world, data);
  if (!input.hasSound) throw new Declined(604, 'The specified input does not support audio.');
  return [name, input];
}

export function filtersOf({ studio }: FakeWorld, data: Record<string, unknown>): [string, FakeFilter[]] {
  const name = text(data, 'sourceName');
  if (!studio.hasSource(name)) throw missing(name);
  const filters = studio.filters.get(name) ?? [];
  studio.filters.set(name, filters);
  return [name, filters];
}

export function filterOf(world: FakeWorld, data: Record<string, unknown>): [string, FakeFilter] {
  const [source, filters] = filtersOf(world, data);
  const name = text(data, 'filterName');
  const filter = filters.find((each) => each.name === name);
  if (!filter) throw new Declined(600, `No filter was found in the source \`${source}\` with the name \`${name}\`.`);
  return [source, filter];
}

export function mustBeNew({ studio }: FakeWorld, name: string): void {
  if (studio.hasSource(name)) throw new Declined(601, 'A source already exists by that name.');
}
