/** An editor for JSON, which is loaded when it is first shown. */
import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { JsonTextProps } from './json-text.js';

const JsonText = lazy(async () => ({ default: (await import('./json-text.js')).JsonText }));

export const JsonEditor = (props: JsonTextProps) => (
  <Suspense fallback={<Skeleton height={220} />}>
    <JsonText {...props} />
  </Suspense>
);
