import { texts } from '../texts/texts.js';
import { actorText, type Actor } from './actor-text.js';

export const ActorName = ({ actor }: { actor: Actor | null }) => (
  <bdi>{actor === null ? texts.ui.unknown : actorText(actor)}</bdi>
);
