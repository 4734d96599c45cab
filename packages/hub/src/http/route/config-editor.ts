// The edits of the configuration file that routes may make. No command and no secret is accepted over HTTP: an added
// server has an address, without headers.
import type { AddedServer } from '@tidings/client/contract';

/** Every edit is checked before it is written, keeps comments, and is in force when it resolves. */
export interface ConfigEditor {
  /** The file that is edited. */
  readonly file: string;
  add(server: AddedServer): Promise<void>;
  remove(id: string): Promise<void>;
  setEnabled(id: string, isEnabled: boolean): Promise<void>;
}
