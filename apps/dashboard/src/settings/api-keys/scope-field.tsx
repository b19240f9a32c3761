import { Checkbox, SegmentedControl } from '@mantine/core';
import type { Scope } from '@ams/scopes';
import { useSession } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { groupsOf, presets, scopesOfPreset, toggledScope, type Noun, type Preset } from './scope-groups.js';
import formStyles from '../../ui/form.module.css';
import styles from './scope-field.module.css';

export interface ScopeFieldProps {
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
  error?: string | undefined;
}

const order = Object.keys(texts.apiKeys.groups) as Noun[];

/** The scopes by noun, each with what it allows. A member can give what they have. */
export function ScopeField({ value, onChange, error }: ScopeFieldProps) {
  const said = texts.apiKeys;
  const { scopes: held } = useSession();
  const sameAs = (preset: Preset): boolean => {
    const scopes = scopesOfPreset(preset, held);
    return scopes.length === value.length && scopes.every((scope) => value.includes(scope));
  };
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={said.form.presets}
        value={presets.find(sameAs) ?? ''}
        onChange={(preset) => onChange(scopesOfPreset(preset as Preset, held))}
        data={presets.map((value) => ({ value, label: said.form.preset[value] }))}
      />
      {error !== undefined && (
        <p className={formStyles.fault} role="alert">
          {error}
        </p>
      )}
      <div className={styles.groups}>
        {groupsOf(held, order).map(({ noun, read, write }) => (
          <fieldset key={noun} className={styles.group}>
            <legend className={styles.noun}>{said.groups[noun].title}</legend>
            {([read, write] as const).map((scope, i) => {
              if (scope === null) return null;
              const right = i === 0 ? 'read' : 'write';
              return (
                <Checkbox
                  key={scope}
                  size="xs"
                  label={said.form[right]}
                  description={said.groups[noun][right]}
                  checked={value.includes(scope)}
                  onChange={() => onChange(toggledScope(value, scope))}
                />
              );
            })}
          </fieldset>
        ))}
      </div>
    </>
  );
}
