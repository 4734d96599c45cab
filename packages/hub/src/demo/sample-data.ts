// The port of sample data: how much there is, and loading it.
import type { SampleCounts } from '@tidings/client/contract';

export interface SampleData {
  readonly offers: SampleCounts;
  /** Whether it was loaded since the hub was started. */
  readonly isLoaded: boolean;
  /** Whether something in it is changed every few seconds. */
  readonly isChanging: boolean;
  /** Loading it again changes nothing. */
  load(this: void): Promise<SampleCounts>;
}

const nothing: SampleCounts = { conversations: 0, schedules: 0 };
export const noSamples: SampleData = { offers: nothing, isLoaded: false, isChanging: false, load: async () => nothing };
