import type { components } from '@ams/client';
import { texts } from '../texts/texts.js';

export type Actor = components['schemas']['Actor'];

/** Who did it, as text. */
export function actorText({ type, name, via }: Actor): string {
  const who = texts.ui.actor[type](name);
  return via ? texts.ui.actor.via(who, via.name) : who;
}
