/** What is known of the types of integrations, and how they are found. */
import { senders } from 'virtual:senders';

export type Sender = (typeof senders)[number];

const byType = new Map(senders.map((sender) => [sender.type, sender]));

export const senderOf = (type: string): Sender => byType.get(type) ?? { type, name: type, setup: '' };

/** The senders whose name or type has all words; those whose name begins with the text first. */
export function sendersWith(text: string, all: readonly Sender[] = senders): Sender[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ name }: Sender): number => (name.toLowerCase().startsWith(text.trim().toLowerCase()) ? 0 : 1);
  return all
    .filter(({ name, type }) => words.every((word) => `${name} ${type}`.toLowerCase().includes(word)))
    .sort((a, b) => (words.length === 0 ? 0 : begins(a) - begins(b)));
}
