/** All faults. */
import type { Fault } from './fault.js';
import { killFaults } from './kill.js';
import { stopFaults } from './stop.js';

export const faults: readonly Fault[] = [...killFaults, ...stopFaults];
