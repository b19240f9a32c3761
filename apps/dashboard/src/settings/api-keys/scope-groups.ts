/** The scopes in groups, as a form shows them: a noun with reading and changing. */
import { scopes, type Scope } from '@ams/scopes';

export type Noun = Scope extends `${infer Name}:${string}` ? Name : never;
export type Right = 'read' | 'write';

export interface ScopeGroup {
  noun: Noun;
  read: Scope | null;
  write: Scope | null;
}

const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);
const scopeOf = (noun: string, right: Right): Scope | null => {
  const scope = `${noun}:${right}`;
  return isScope(scope) ? scope : null;
};

/** The groups of which somebody with these scopes can give at least one. */
export function groupsOf(held: readonly string[], order: readonly Noun[]): ScopeGroup[] {
  const given = (scope: Scope | null): Scope | null => (scope !== null && held.includes(scope) ? scope : null);
  return order
    .map((noun) => ({ noun, read: given(scopeOf(noun, 'read')), write: given(scopeOf(noun, 'write')) }))
    .filter(({ read, write }) => read !== null || write !== null);
}

export const presets = ['none', 'read', 'alerts', 'everything'] as const;
export type Preset = (typeof presets)[number];

/** What a preset gives, of what somebody can give. */
export function scopesOfPreset(preset: Preset, held: readonly Scope[]): Scope[] {
  switch (preset) {
    case 'none':
      return [];
    case 'read':
      return held.filter((scope) => scope.endsWith(':read'));
    case 'alerts':
      return held.filter((scope) => scope.startsWith('alerts:') || scope.startsWith('incidents:'));
    case 'everything':
      return [...held];
  }
}

/** The same set in the order of the document. */
export const toggledScope = (chosen: readonly Scope[], scope: Scope): Scope[] =>
  scopes.filter((other) => (other === scope ? !chosen.includes(scope) : chosen.includes(other)));
