// A number with its noun: `1 event`, `2 events`.

export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}
