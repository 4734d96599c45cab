// Something that was defined and can be taken back.

export interface Registration {
  remove(): void;
}
