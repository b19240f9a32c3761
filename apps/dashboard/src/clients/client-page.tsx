import { useQuery } from '@tanstack/react-query';
import schema from 'schema:PutClient';
import type { Data } from '../api/operation-types.js';
import { cannotShow, read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { DeleteSection } from '../ui/delete-section.js';
import { Facts } from '../ui/facts.js';
import { LinkButton } from '../ui/link-button.js';
import { notifyDone } from '../ui/notify.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { Section } from '../ui/section.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { ToneMark } from '../ui/tone-mark.js';
import { ClientForm } from './client-form.js';
import { bodyOf, valuesOf } from './client-values.js';
import { clientRoute } from './clients.routes.js';
import styles from './clients.module.css';

type Client = Data<'getClient'>;

export function ClientPage() {
  const { id } = clientRoute.useParams();
  const can = useCan();
  const said = texts.clients;
  const found = useQuery(read('getClient', { path: { id } }));
  const update = useAct('updateClient', {
    changes: ['getClient', 'listClients'],
    onSuccess: ({ data }) => notifyDone(said.saved(data.name)),
  });
  if (found.isPending) return <PageSkeleton />;
  if (cannotShow(found)) return <PageError list="/clients" found={found} />;
  const client = found.data;
  const { name, openAlertCount, version } = client;
  return (
    <>
      <PageHeader
        title={name}
        aside={
          <ToneMark tone={openAlertCount > 0 ? 'bad' : 'good'}>
            {openAlertCount > 0 ? said.alerts(openAlertCount) : said.noAlerts}
          </ToneMark>
        }
        actions={
          can('listAlerts') && (
            <LinkButton to="/alerts" search={{ clientId: [id] }} variant="default">
              {said.allAlerts}
            </LinkButton>
          )
        }
      />
      <div className={styles.page}>
        {can('updateClient') ? (
          <ClientForm
            key={version}
            schema={schema}
            initial={valuesOf(client)}
            send={(values) => update.mutateAsync({ path: { id }, body: bodyOf(values), ifVersion: version })}
            action={said.save}
          />
        ) : (
          <ClientFacts client={client} />
        )}
        {can('deleteClient') && <DeleteClient client={client} />}
      </div>
    </>
  );
}

const ClientFacts = ({ client }: { client: Client }) => (
  <Section title={texts.clients.general}>
    <Facts
      facts={[
        [texts.clients.slug, <bdi>{client.slug}</bdi>],
        [texts.clients.externalId, <bdi>{client.externalId ?? texts.ui.none}</bdi>],
        [texts.clients.aliases, <bdi>{client.aliases.join(', ') || texts.ui.none}</bdi>],
        [texts.clients.description, <bdi>{client.description ?? texts.ui.none}</bdi>],
        [texts.clients.timezone, client.timezone],
        [
          texts.clients.contacts,
          client.contacts.map(({ name, email }) => (
            <div key={email}>
              <bdi>{name}</bdi> <a href={`mailto:${email}`}>{email}</a>
            </div>
          )),
        ],
      ]}
    />
  </Section>
);

function DeleteClient({ client: { id, name } }: { client: Client }) {
  const navigate = clientRoute.useNavigate();
  return (
    <DeleteSection
      operation="deleteClient"
      id={id}
      name={name}
      changes={['listClients']}
      said={texts.clients.remove}
      onDeleted={() => void navigate({ to: '/clients', search: {} })}
    />
  );
}
