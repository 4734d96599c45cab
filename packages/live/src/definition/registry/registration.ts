/** A definition that can be removed. */
export interface Registration {
  remove(): void;
}
