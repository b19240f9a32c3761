import { useState } from 'react';
import type { Data } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { PageHeader } from '../ui/page-header.js';
import { LinkButton } from '../ui/link-button.js';
import { Catalogue } from './catalogue.js';
import { ConnectSender } from './connect-sender.js';
import { CreateForm } from './create-form.js';
import { FirstRequest } from './first-request.js';
import { newIntegrationRoute } from './integrations.routes.js';
import { senderOf } from './senders.js';
import { TypeMark } from './type-mark.js';
import styles from './integrations.module.css';

/** Which sender, what it is called, and its URL, which is shown only once. */
export function NewIntegrationPage() {
  const { type } = newIntegrationRoute.useSearch();
  const [created, setCreated] = useState<Data<'createIntegration'> | null>(null);
  if (created !== null) return <Created integration={created} />;
  if (type === undefined) {
    return (
      <>
        <PageHeader title={texts.newRecords.createIntegration} />
        <Catalogue />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={texts.integrations.form.title(senderOf(type).name)}
        aside={<TypeMark type={type} />}
        actions={
          <LinkButton variant="default" to="/integrations/new" search={{}}>
            {texts.integrations.catalogue.other}
          </LinkButton>
        }
      />
      <div className={styles.narrow}>
        <CreateForm key={type} type={type} onCreated={setCreated} />
      </div>
    </>
  );
}

const Created = ({ integration }: { integration: Data<'createIntegration'> }) => (
  <>
    <PageHeader
      title={integration.name}
      aside={<TypeMark type={integration.type} />}
      actions={
        <LinkButton to="/integrations/$id" params={{ id: integration.id }} variant="default">
          {texts.integrations.created.open}
        </LinkButton>
      }
    />
    <div className={styles.narrow}>
      <ConnectSender integration={integration} />
      <FirstRequest id={integration.id} />
    </div>
  </>
);
