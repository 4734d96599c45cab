// The protocol versions that the two eras stand for.

/** The version with `subscriptions/listen`. */
export const modernVersion = '2026-07-28';

/** For a person: the 2025 era has several versions. */
export function protocolOf(era: 'legacy' | 'modern'): string {
  return era === 'modern' ? modernVersion : '2025';
}
