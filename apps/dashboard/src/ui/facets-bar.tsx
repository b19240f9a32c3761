/**
 * Filters with counts beside a list. Choosing a value changes the address. On a narrow screen they are behind a button.
 */
import { Button, Checkbox, Drawer } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { MixerHorizontalIcon } from '@radix-ui/react-icons';
import { useState, type ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { chosenValues } from './facets.js';
import styles from './facets-bar.module.css';
import { numberText } from '../texts/numbers.js';

export interface FacetValue {
  value: string;
  label: ReactNode;
  count?: number | undefined;
}

export interface Facet {
  /** The name of the filter in the address. */
  name: string;
  /** Several facets of one filter, such as labels, have different titles. */
  title: string;
  values: readonly FacetValue[];
  /** All chosen values of the filter. */
  chosen: readonly string[];
  /** Below the values: what the counts do not say. */
  hint?: string | undefined;
}

export interface FacetsBarProps {
  facets: readonly Facet[];
  onChange: (name: string, chosen: string[]) => void;
}

export function FacetsBar(props: FacetsBarProps) {
  const isNarrow = useMediaQuery('(max-width: 64em)', false, { getInitialValueInEffect: false });
  const [isOpen, setIsOpen] = useState(false);
  if (!isNarrow) {
    return (
      <aside className={styles.bar} aria-label={texts.ui.filters}>
        <Facets {...props} />
      </aside>
    );
  }
  const count = chosenValues(props.facets);
  return (
    <div className={styles.button}>
      <Button
        variant={count === 0 ? 'default' : 'light'}
        size="sm"
        leftSection={<MixerHorizontalIcon aria-hidden />}
        onClick={() => setIsOpen(true)}
      >
        {texts.ui.filtersOf(count)}
      </Button>
      <Drawer opened={isOpen} onClose={() => setIsOpen(false)} title={texts.ui.filters} size="20rem">
        <Facets {...props} />
      </Drawer>
    </div>
  );
}

const Facets = ({ facets, onChange }: FacetsBarProps) =>
  facets.map(({ name, title, values, chosen, hint }) => (
    <fieldset key={`${name} ${title}`} className={styles.facet}>
      <legend className={styles.title}>{title}</legend>
      {values.map(({ value, label, count }) => (
        <label key={value} className={styles.value}>
          <Checkbox
            size="xs"
            checked={chosen.includes(value)}
            onChange={({ currentTarget }) =>
              onChange(name, currentTarget.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
            }
          />
          <span className={styles.label}>{label}</span>
          {count !== undefined && <span className={styles.count}>{numberText(count)}</span>}
        </label>
      ))}
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </fieldset>
  ));
