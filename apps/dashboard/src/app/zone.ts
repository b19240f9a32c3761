/** In which time zone times are shown: that of the viewer's device, or UTC. */
import { storedChoice } from './stored-choice.js';

export const zoneChoice = storedChoice('zone', ['viewer', 'UTC']);

export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** The IANA name of the zone to show times in. */
export const useZone = (): string => (zoneChoice.use() === 'UTC' ? 'UTC' : viewerZone());
