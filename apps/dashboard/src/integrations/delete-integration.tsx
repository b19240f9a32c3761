import { texts } from '../texts/texts.js';
import { DeleteButton } from '../ui/delete-button.js';
import { Section } from '../ui/section.js';
import type { Integration } from './integration-page.js';
import { integrationRoute } from './integrations.routes.js';
import formStyles from '../ui/form.module.css';

export function DeleteIntegration({ integration: { id, name } }: { integration: Integration }) {
  const said = texts.integrations.remove;
  const navigate = integrationRoute.useNavigate();
  return (
    <Section title={said.title} hint={said.hint}>
      <div className={formStyles.buttons}>
        <DeleteButton
          operation="deleteIntegration"
          id={id}
          changes={['listIntegrations']}
          question={said.question(name)}
          text={said.hint}
          done={said.done(name)}
          notDone={said.failed(name)}
          onDeleted={() => void navigate({ to: '/integrations', search: {} })}
        />
      </div>
    </Section>
  );
}
