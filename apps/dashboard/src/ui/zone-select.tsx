import { Select, type SelectProps } from '@mantine/core';
import { texts } from '../texts/texts.js';

/** Names of the IANA time zone database. The present value stays, also when this browser does not know it. */
export function ZoneSelect({ value, ...props }: Omit<SelectProps, 'data'>) {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), ...(value ? [value] : [])]);
  return (
    <Select
      searchable
      limit={60}
      nothingFoundMessage={texts.app.nothingFound}
      {...props}
      value={value ?? null}
      data={[...zones].sort()}
    />
  );
}
