import 'virtual:mantine-styles';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './app/base.css';

import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ApiError } from './api/api-error.js';
import { App } from './app/app.js';
import { listenToKeys } from './app/shortcuts.js';

listenToKeys();

// A page that is opened after an upgrade: its files have other names now, so the new version is loaded.
window.addEventListener('vite:preloadError', () => location.reload());

if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('/sw.js');

createRoot(document.getElementById('root') as HTMLElement, {
  onCaughtError: (error) => {
    // What the API refused, the page says in its place. Anything else is a fault of this program.
    if (!(error instanceof ApiError)) console.error(error);
  },
}).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
