import { Link } from '@tanstack/react-router';
import { useQuery } from '@tanstack/react-query';
import type { Item } from '../api/operation-types.js';
import { read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { CodeBlock } from '../ui/code-block.js';
import { ExactTime } from '../ui/exact-time.js';
import { Facts } from '../ui/facts.js';
import { Section } from '../ui/section.js';
import { ToneMark } from '../ui/tone-mark.js';
import { LinkButton } from '../ui/link-button.js';
import { itemOf, readable } from './request-items.js';
import { OutcomeMark } from './request-marks.js';
import styles from './integrations.module.css';

type Request = Item<'listIntegrationRequests'>;

/** One request: what was sent, and what became of each of its items. */
export function RequestDetail({ integrationId, request }: { integrationId: string; request: Request }) {
  const said = texts.integrations.requests;
  const { receivedAt, outcome, status, api, contentType, note, requestId, items, payload } = request;
  return (
    <>
      <Facts
        facts={[
          [said.time, <ExactTime at={receivedAt} />],
          [said.outcome, <OutcomeMark outcome={outcome} />],
          [said.status, status],
          [said.api, said.apis[api]],
          [said.contentType, contentType ?? texts.ui.none],
          [said.note, note !== null && <bdi>{note}</bdi>],
          [said.requestId, <code>{requestId}</code>],
        ]}
      />
      {items.length > 0 && (
        <Section title={said.items}>
          <ol className={styles.items}>
            {items.map((item, i) => (
              <Became key={i} item={item} number={i + 1} integrationId={integrationId} />
            ))}
          </ol>
        </Section>
      )}
      <Section
        title={said.payload}
        actions={
          payload !== null && (
            <LinkButton
              to="/integrations/$id"
              params={{ id: integrationId }}
              search={{ tab: 'mapping', request: request.id }}
              variant="default"
            >
              {said.useInMapping}
            </LinkButton>
          )
        }
      >
        {payload === null ? <p>{said.noPayload}</p> : <CodeBlock title={said.payload} text={readable(payload)} />}
      </Section>
    </>
  );
}

/** A request may have a thousand items; the alerts of the first ones are looked up. */
const linkedItems = 10;

interface BecameProps {
  item: unknown;
  number: number;
  integrationId: string;
}

function Became({ item, number, integrationId }: BecameProps) {
  const said = texts.integrations.requests;
  const { outcome, fingerprint, reason, warnings, faults } = itemOf(item);
  const tone = outcome === 'event' ? 'good' : outcome === 'faulty' || outcome === 'unreadable' ? 'bad' : 'neutral';
  return (
    <li>
      <div className={styles.itemHead}>
        {said.item(number)}
        <ToneMark tone={tone}>{said.itemOutcomes[outcome] ?? outcome}</ToneMark>
        {fingerprint !== undefined && number <= linkedItems && (
          <AlertLink integrationId={integrationId} fingerprint={fingerprint} />
        )}
      </div>
      {reason !== undefined && (
        <p>
          <bdi>{reason}</bdi>
        </p>
      )}
      {[...faults, ...warnings].map(({ path, message }, i) => (
        <p key={i}>
          <code>{path}</code> <bdi>{message}</bdi>
        </p>
      ))}
    </li>
  );
}

/** The alert that has the fingerprint now. */
function AlertLink({ integrationId, fingerprint }: { integrationId: string; fingerprint: string }) {
  const can = useCan();
  const { data: alerts = [] } = useQuery({
    ...read('listAlerts', { query: { fingerprint: [fingerprint], integrationId: [integrationId], limit: 1 } }),
    enabled: can('listAlerts'),
  });
  const [alert] = alerts;
  if (alert === undefined) return null;
  return (
    <Link to="/alerts" search={{ alert: alert.id }} className={styles.link}>
      <bdi>{alert.title}</bdi>
    </Link>
  );
}
