// A log that keeps its lines.
import type { TrackerLog } from '@tidings/track';

export interface LogLine {
  level: 'info' | 'warn' | 'error';
  fields: Record<string, unknown>;
  message: string;
}

export class RecordingLog implements TrackerLog {
  readonly lines: LogLine[] = [];

  info(fields: object, message: string): void {
    this.#keep('info', fields, message);
  }

  warn(fields: object, message: string): void {
    this.#keep('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.#keep('error', fields, message);
  }

  #keep(level: LogLine['level'], fields: object, message: string): void {
    this.lines.push({ level, fields: { ...fields }, message });
  }
}
