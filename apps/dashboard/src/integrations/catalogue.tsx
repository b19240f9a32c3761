import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { SearchField } from '../ui/search-field.js';
import { Section } from '../ui/section.js';
import { LinkButton } from '../ui/link-button.js';
import { newIntegrationRoute } from './integrations.routes.js';
import { sendersWith } from './senders.js';
import { TypeMark } from './type-mark.js';
import styles from './integrations.module.css';

/** All types of senders, as links to the next step. */
export function Catalogue() {
  const { q = '' } = newIntegrationRoute.useSearch();
  const navigate = newIntegrationRoute.useNavigate();
  const found = sendersWith(q);
  return (
    <div className={styles.page}>
      <Section
        title={texts.integrations.catalogue.title}
        hint={texts.integrations.catalogue.hint}
        actions={
          <SearchField
            label={texts.integrations.catalogue.search}
            value={q}
            onChange={(next) => void navigate({ search: { q: next }, replace: true })}
          />
        }
      >
        {found.length === 0 && <NoSender />}
        <ul className={styles.catalogue}>
          {found.map(({ type, name }) => (
            <li key={type}>
              <Link to="/integrations/new" search={{ type }} className={styles.sender}>
                <TypeMark type={type} size={28} />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

const NoSender = () => (
  <EmptyState
    title={texts.integrations.catalogue.none}
    hint={texts.integrations.catalogue.noneHint}
    action={
      <LinkButton to="/integrations/new" search={{ type: 'generic' }}>
        {texts.integrations.catalogue.useGeneric}
      </LinkButton>
    }
  />
);
