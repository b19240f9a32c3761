/** The colours of members in the calendar, the same on every page. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { all } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { coloursOf } from './spans.js';

/** Undefined for somebody who is not known. */
export function useColours(): (userId: string) => number | undefined {
  const can = useCan();
  const { data } = useQuery({ ...all('listMembers'), enabled: can('listMembers') });
  const colours = useMemo(() => coloursOf(data?.map(({ id }) => id) ?? []), [data]);
  return (userId) => colours.get(userId);
}
