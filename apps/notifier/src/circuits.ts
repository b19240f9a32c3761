/**
 * A target that keeps failing is left alone for a while: its circuit is open. After that one attempt at a time probes it,
 * until one works. Time is an argument, in milliseconds; what is not known to fail takes no memory.
 */

type Circuit =
  | { state: 'closed'; failures: number }
  | { state: 'open'; until: number; pauseMs: number }
  /** One attempt is under way, the others wait for how it ends. */
  | { state: 'probing'; pauseMs: number };

/** What an attempt told about the target. */
export type Verdict = 'worked' | 'failed' | 'unknown';

export const circuitRules = {
  /** Failures in a row. */
  failures: 5,
  pauseMs: 30_000,
  longestPauseMs: 300_000,
  /** What those who come during a probe are told to wait. */
  probeMs: 2000,
  /** Circuits that are remembered; over it the one that changed longest ago is forgotten. */
  remembered: 10_000,
};

const closed: Circuit = { state: 'closed', failures: 0 };
const open = (now: number, pauseMs: number): Circuit => ({ state: 'open', until: now + pauseMs, pauseMs });

/** What becomes of a circuit by the end of an attempt. One that began before the circuit opened changes nothing any more. */
const next: {
  [S in Circuit['state']]: (
    circuit: Extract<Circuit, { state: S }>,
    verdict: Verdict,
    isProbe: boolean,
    now: number,
  ) => Circuit;
} = {
  closed: ({ failures }, verdict, _isProbe, now) => {
    if (verdict === 'unknown') return { state: 'closed', failures };
    if (verdict === 'worked') return closed;
    return failures + 1 < circuitRules.failures
      ? { state: 'closed', failures: failures + 1 }
      : open(now, circuitRules.pauseMs);
  },
  open: (circuit) => circuit,
  probing: (circuit, verdict, isProbe, now) => {
    if (!isProbe) return circuit;
    if (verdict === 'worked') return closed;
    if (verdict === 'unknown') return { state: 'open', until: now, pauseMs: circuit.pauseMs };
    return open(now, Math.min(circuit.pauseMs * 2, circuitRules.longestPauseMs));
  },
};

export class Circuits {
  private readonly circuits = new Map<string, Circuit>();

  /** How long the target is still to be left alone; 0 when it may be tried. */
  waitMs(key: string, now: number): number {
    const circuit = this.circuits.get(key) ?? closed;
    if (circuit.state === 'probing') return circuitRules.probeMs;
    return circuit.state === 'open' ? Math.max(0, circuit.until - now) : 0;
  }

  /** An attempt begins, for which `waitMs` was 0. Whether it is the probe of an open circuit, which `end` has to be told. */
  begin(key: string): boolean {
    const circuit = this.circuits.get(key) ?? closed;
    if (circuit.state !== 'open') return false;
    this.keep(key, { state: 'probing', pauseMs: circuit.pauseMs });
    return true;
  }

  end(key: string, verdict: Verdict, isProbe: boolean, now: number): void {
    const circuit = this.circuits.get(key) ?? closed;
    this.keep(
      key,
      (next[circuit.state] as (circuit: Circuit, verdict: Verdict, isProbe: boolean, now: number) => Circuit)(
        circuit,
        verdict,
        isProbe,
        now,
      ),
    );
  }

  get size(): number {
    return this.circuits.size;
  }

  /** The newest is the last of the map. */
  private keep(key: string, circuit: Circuit): void {
    this.circuits.delete(key);
    if (circuit.state === 'closed' && circuit.failures === 0) return;
    this.circuits.set(key, circuit);
    if (this.circuits.size > circuitRules.remembered) this.circuits.delete(this.circuits.keys().next().value!);
  }
}
