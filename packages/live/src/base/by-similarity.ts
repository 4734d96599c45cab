// The order behind "Did you mean …?". Each user decides how far a name may be from what was typed.
import { editDistance } from './edit-distance.ts';

interface SimilarName {
  readonly name: string;
  /** How many characters differ, whatever their case. */
  readonly distance: number;
}

/** The most similar name first. `spellings` are the texts that may have been meant by typing a name. */
export function bySimilarity(
  typed: string,
  names: readonly string[],
  spellings: (name: string) => readonly string[] = (name) => [name],
): SimilarName[] {
  const wanted = typed.toLowerCase();
  return names
    .map((name) => {
      const distances = spellings(name).map((spelling) => editDistance(wanted, spelling.toLowerCase()));
      return { name, distance: Math.min(...distances) };
    })
    .sort((one, other) => one.distance - other.distance);
}
