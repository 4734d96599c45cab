/** The event subscription (bit) that each event belongs to. */
const intents: [RegExp, number][] = [
  [/^InputVolumeMeters$/, 1 << 16],
  [/^SceneItemTransformChanged$/, 1 << 19],
  [/^ExitStarted$|^CustomEvent$/, 1],
  [/^CurrentSceneCollection|^SceneCollection|Profile/, 1 << 1],
  [/^SceneItem/, 1 << 7],
  [/^SceneTransition|^CurrentSceneTransition/, 1 << 4],
  [/^Scene|^Current(Program|Preview)Scene/, 1 << 2],
  [/^MediaInput/, 1 << 8],
  [/^Input/, 1 << 3],
  [/^SourceFilter/, 1 << 5],
  [/^(Stream|Record|Replay|Virtualcam)/, 1 << 6],
  [/^StudioMode/, 1 << 10],
];

export function intentOf(type: string): number {
  return intents.find(([pattern]) => pattern.test(type))?.[1] ?? 0;
}
