import { Alert } from '@mantine/core';
import { ApiError } from '../api/api-error.js';
import { texts } from '../texts/texts.js';
import { errorText } from './error-state.js';

interface Reference {
  resource: string;
  id: string;
  name: string;
}

/** Why a record was not deleted: with the records that use it, when that is the reason. */
export function NotDeleted({ error }: { error: ApiError }) {
  const { references = [] } = (error.details ?? {}) as { references?: Reference[] };
  const isInUse = error.code === 'RESOURCE_IN_USE' && references.length > 0;
  return (
    <Alert color="red" title={isInUse ? texts.ui.inUse : undefined}>
      {isInUse ? (
        <ul>
          {references.map(({ resource, id, name }) => (
            <li key={id}>
              {resource.replaceAll('_', ' ')}: <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      ) : (
        errorText(error)
      )}
    </Alert>
  );
}
