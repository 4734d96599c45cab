// What is missing from the lists of one server, as text.
export class IncompleteLists {
  readonly #report: (missing: string) => void;
  /** Descriptions by list. */
  readonly #missing = new Map<string, string>();

  /** `report` gets each description once. */
  constructor(report: (missing: string) => void) {
    this.#report = report;
  }

  /** `missing` is empty for a list that is complete. */
  set(list: string, missing: string): void {
    if ((this.#missing.get(list) ?? '') === missing) return;
    this.#missing.set(list, missing);
    if (missing !== '') this.#report(missing);
  }

  clear(): void {
    this.#missing.clear();
  }

  /** The detail of the server's state, followed by what is missing. */
  addTo(detail: string): string {
    return [detail, ...this.#missing.values()].filter((words) => words !== '').join(' ');
  }
}
