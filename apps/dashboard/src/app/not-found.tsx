import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';

/** No page has this address. */
export const NotFound = () => (
  <EmptyState
    title={texts.app.pageNotFound}
    action={
      <Button component={Link} to="/">
        {texts.app.toNow}
      </Button>
    }
  />
);
