/** Live or test data: a part of every address, so that a link opens the same data for everybody. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { queryClient } from './query-client.js';

export const useTestData = (): boolean => useSearch({ strict: false, select: (search) => search.env === 'test' });

/** Goes to the page's list in the other environment: a record exists in one of them only. */
export function useSwitchEnvironment(): (environment: 'live' | 'test') => void {
  const navigate = useNavigate();
  return (environment) => {
    const section = location.pathname.split('/')[1] ?? '';
    void navigate({ to: `/${section}` as '/', search: { env: environment === 'test' ? 'test' : undefined } }).then(() =>
      queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getSession' }),
    );
  };
}
