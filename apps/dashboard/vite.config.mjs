// How the dashboard is built (tools/build.mjs) and served for work on it (`npm run dev -w @ams/dashboard`).
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { apiDocument } from './build/api-document.mjs';
import { compressed } from './build/compressed.mjs';
import { mantineStyles } from './build/mantine-styles.mjs';
import { senders } from './build/senders.mjs';
import { sessionOfKey } from './build/session-of-key.mjs';

/** All but the texts of single pages: `texts.ts` names them, and each page loads its own. */
const isInFirstLoad = (id) => !/\/texts\/en\/(?!app|ui|navigation)/.test(id);

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [
    react(),
    apiDocument(),
    mantineStyles(),
    senders(),
    ...(command === 'build' ? [compressed()] : [sessionOfKey()]),
  ],
  resolve: { conditions: ['@ams/source', ...defaultClientConditions] },
  // The API gateway puts a new value in place of this text into each copy of the page.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0, // the Content-Security-Policy has no inline scripts
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Each file is a request: one for what every page needs, one for what most pages need, and one for each set of
    // modules that the same pages need.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], test: isInFirstLoad, includeDependenciesRecursively: false },
            { name: 'common', minShareCount: 10 },
            { name: 'shared', minShareCount: 2, entriesAware: true },
          ],
        },
        // The name of a shared file would be that of all its pages.
        chunkFileNames: ({ name }) => `assets/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash].js`,
        assetFileNames: ({ names: [name = ''] }) =>
          `assets/${name.startsWith('shared') ? 'shared' : '[name]'}-[hash][extname]`,
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': { target: process.env['DASHBOARD_API'] ?? 'http://127.0.0.1:3000', changeOrigin: true } },
  },
}));
