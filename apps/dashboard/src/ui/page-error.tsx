import { navigation } from '../app/navigation.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from './error-state.js';
import { LinkButton } from './link-button.js';
import { PageHeader } from './page-header.js';

export interface PageErrorProps {
  /** The list that the record belongs to. */
  list:
    '/clients' | '/incidents' | '/integrations' | '/on-call' | '/policies' | '/suppression' | '/teams' | '/workflows';
  /** The query that failed. */
  found: { error: unknown; refetch: () => Promise<unknown> };
}

/** The page of a record that could not be loaded: why, and the way to the list. */
export const PageError = ({ list, found }: PageErrorProps) => (
  <>
    <PageHeader
      title={navigation.find(({ path }) => path === list)?.label ?? texts.app.name}
      actions={
        <LinkButton variant="default" to={list}>
          {texts.ui.toList}
        </LinkButton>
      }
    />
    <ErrorState error={found.error} retry={() => void found.refetch()} />
  </>
);
