/**
 * Which act the pressed keys ask for. Keys are written as on the keyboard: `j`, `?`, `Escape`, `mod+k` (Command on a Mac,
 * else Control), and one after the other with a space between: `g a`.
 */
export interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The name of a key press; null for modifiers by themselves, and for Alt, which types characters. */
export function nameOf({ key, ctrlKey, metaKey, altKey }: Pressed): string | null {
  if (altKey || ['Shift', 'Control', 'Meta', 'Alt', 'AltGraph', 'Dead', 'Process'].includes(key)) return null;
  const name = key === ' ' ? 'Space' : key.length === 1 ? key : key;
  return ctrlKey || metaKey ? `mod+${name.toLowerCase()}` : name;
}

export type Match = { kind: 'act'; keys: string } | { kind: 'wait'; pressed: string } | { kind: 'none' };

/** What one more key means after those that were pressed before. */
export function match(known: Iterable<string>, before: string, name: string): Match {
  const all = [...known];
  for (const pressed of before === '' ? [name] : [`${before} ${name}`, name]) {
    if (all.includes(pressed)) return { kind: 'act', keys: pressed };
    if (all.some((keys) => keys.startsWith(`${pressed} `))) return { kind: 'wait', pressed };
  }
  return { kind: 'none' };
}
