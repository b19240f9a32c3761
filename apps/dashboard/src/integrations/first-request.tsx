import { useQuery } from '@tanstack/react-query';
import { read } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { LinkButton } from '../ui/link-button.js';
import { OutcomeMark, RequestSummary } from './request-marks.js';
import styles from './integrations.module.css';

const readEveryMs = 1500;

/** Waits for the first request of the sender, and says so when it has come. */
export function FirstRequest({ id }: { id: string }) {
  const said = texts.integrations.first;
  const { data: requests = [], isError } = useQuery({
    ...read('listIntegrationRequests', { path: { id }, query: { limit: 1 } }),
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? false : readEveryMs),
  });
  const [first] = requests;
  return (
    <div className={styles.first} role="status" data-arrived={first !== undefined || undefined}>
      <span className={styles.pulse} aria-hidden />
      {first === undefined ? (
        <p>
          <strong>{isError ? said.failed : said.waiting}</strong> {said.waitingHint}
        </p>
      ) : (
        <>
          <p>
            <strong>{said.arrived}</strong> <OutcomeMark outcome={first.outcome} /> <RequestSummary request={first} />
          </p>
          <LinkButton
            to="/integrations/$id"
            params={{ id }}
            search={{ tab: 'requests', request: first.id }}
            variant="default"
            ml="auto"
          >
            {said.look}
          </LinkButton>
        </>
      )}
    </div>
  );
}
