/** What a machine must offer for a fault. */
import type { Fault, Need } from './fault.js';

/** Null, or why the machine does not offer it. */
const checks: Record<Need, () => string | null> = {
  linux: () => (process.platform === 'linux' ? null : 'it needs Linux'),
  root: () => (process.getuid?.() === 0 ? null : 'it needs root'),
};

export function missingNeeds({ needs = [] }: Fault): string | null {
  const missing = needs.map((need) => checks[need]()).filter((reason) => reason !== null);
  return missing.length === 0 ? null : missing.join('; ');
}
