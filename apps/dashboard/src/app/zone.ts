/** In which time zone times are shown: that of the viewer's device, or UTC. */
import { storedChoice } from './stored-choice.js';

export const zoneChoice = storedChoice('zone', ['viewer', 'UTC']);

let ofDevice: string | undefined;
/** As it was when the page was opened: to ask the browser takes as long as to show some rows. */
export const viewerZone = (): string => (ofDevice ??= Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC');

/** The IANA name of the zone to show times in. */
export const useZone = (): string => (zoneChoice.use() === 'UTC' ? 'UTC' : viewerZone());
