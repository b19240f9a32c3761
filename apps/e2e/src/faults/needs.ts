/** What a machine must offer for a fault. */
import type { Fault, Need } from './fault.js';

export interface Machine {
  /** The folder of a checkout of an earlier release, with compiled services. */
  yesterday?: string | undefined;
}

/** Null, or why the machine does not offer it. */
const checks: Record<Need, (machine: Machine) => string | null> = {
  linux: () => (process.platform === 'linux' ? null : 'it needs Linux'),
  root: () => (process.getuid?.() === 0 ? null : 'it needs root'),
  yesterday: ({ yesterday }) => (yesterday === undefined ? 'it needs --yesterday DIR' : null),
};

export function missingNeeds({ needs = [] }: Fault, machine: Machine): string | null {
  const missing = needs.map((need) => checks[need](machine)).filter((reason) => reason !== null);
  return missing.length === 0 ? null : missing.join('; ');
}
