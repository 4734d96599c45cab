// The tracker's metrics for Prometheus.
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { ErrorReason } from '@tidings/client/contract';

export class Telemetry {
  readonly registry = new Registry();
  readonly announced = new Histogram({
    name: 'tidings_announce_seconds',
    help: 'From the receipt of a notification to its event. A trailing one waits for the end of its window.',
    labelNames: ['server', 'edge'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 3],
    registers: [this.registry],
  });
  readonly delivered = new Histogram({
    name: 'tidings_delivery_seconds',
    help: 'From an event to when an agent session has taken the line about it.',
    labelNames: ['session'] as const,
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 30, 60],
    registers: [this.registry],
  });
  readonly received = this.#counter('tidings_notifications_total', 'Updates received.', ['server']);
  readonly merged = this.#counter('tidings_duplicates_merged_total', 'Updates that made no event of their own.', [
    'server',
  ]);
  readonly withheld = this.#counter('tidings_events_withheld_total', 'Second events that repeated the first.', [
    'server',
  ]);
  readonly healed = this.#counter('tidings_healed_total', 'Resources compared after a gap.', ['server', 'outcome']);
  readonly gaps = this.#counter('tidings_gaps_total', 'Gaps that could not be narrowed down.', ['server']);
  readonly errors = this.#counter('tidings_tracker_errors_total', 'Errors by what was tried.', ['server', 'reason']);
  readonly connects = this.#counter('tidings_connects_total', 'Attempts to connect.', ['server']);
  readonly retries = this.#counter('tidings_retries_total', 'Attempts to connect after a failure.', ['server']);
  readonly desired = this.#gauge('tidings_subscriptions_desired', 'Resources that are tracked or watched.', ['server']);
  readonly actual = this.#gauge('tidings_subscriptions_actual', 'Resources with a confirmed subscription.', ['server']);
  readonly polled = this.#gauge('tidings_subscriptions_polled', 'Resources that are polled instead.', ['server']);
  readonly up = this.#gauge('tidings_server_up', 'Whether the server is connected.', ['server']);
  readonly readers = this.#gauge('tidings_stream_readers', 'Readers of the event stream.', []);

  error(server: string, reason: ErrorReason): void {
    this.errors.inc({ server, reason });
  }

  /** Removes a server's gauges, which would otherwise look current. */
  forget(server: string): void {
    for (const gauge of [this.desired, this.actual, this.polled, this.up]) gauge.remove({ server });
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }
}
