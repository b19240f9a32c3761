import { texts } from '../texts/texts.js';
import { DeleteSection } from '../ui/delete-section.js';
import type { Integration } from './integration-page.js';
import { integrationRoute } from './integrations.routes.js';

export function DeleteIntegration({ integration: { id, name } }: { integration: Integration }) {
  const navigate = integrationRoute.useNavigate();
  return (
    <DeleteSection
      operation="deleteIntegration"
      id={id}
      name={name}
      changes={['listIntegrations']}
      said={texts.integrations.remove}
      onDeleted={() => void navigate({ to: '/integrations', search: {} })}
    />
  );
}
