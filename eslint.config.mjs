import js from '@eslint/js';
import nx from '@nx/eslint-plugin';
import globals from 'globals';
import tseslint from 'typescript-eslint';

/** Who may import what: docs/architecture.md has the table in words. */
const boundaries = [
  {
    sourceTag: 'type:pure',
    onlyDependOnLibsWithTags: ['type:pure'],
    bannedExternalImports: ['@nestjs/*', 'typeorm', '@nats-io/*', 'pg', 'class-validator'],
  },
  {
    sourceTag: 'type:contract',
    onlyDependOnLibsWithTags: ['type:pure'],
    bannedExternalImports: ['typeorm', '@nats-io/*', 'pg'],
  },
  {
    sourceTag: 'type:data',
    onlyDependOnLibsWithTags: ['type:pure', 'type:contract'],
    bannedExternalImports: ['@nats-io/*'],
  },
  {
    sourceTag: 'type:platform',
    onlyDependOnLibsWithTags: ['type:pure', 'type:contract', 'type:platform', 'type:tracing'],
    bannedExternalImports: ['typeorm', 'pg'],
  },
  {
    sourceTag: 'type:edge',
    onlyDependOnLibsWithTags: ['type:pure', 'type:contract', 'type:platform', 'type:tracing'],
    bannedExternalImports: ['typeorm', 'pg'],
  },
  {
    sourceTag: 'type:application',
    onlyDependOnLibsWithTags: ['type:pure', 'type:contract', 'type:data', 'type:application', 'type:tracing'],
    bannedExternalImports: ['@nestjs/*', '@nats-io/*'],
  },
  {
    sourceTag: 'type:persistence',
    onlyDependOnLibsWithTags: [
      'type:pure',
      'type:contract',
      'type:data',
      'type:platform',
      'type:persistence',
      'type:tracing',
    ],
  },
  {
    sourceTag: 'type:app',
    onlyDependOnLibsWithTags: [
      'type:pure',
      'type:contract',
      'type:data',
      'type:application',
      'type:platform',
      'type:persistence',
      'type:tracing',
    ],
  },
  {
    sourceTag: 'type:tracing',
    onlyDependOnLibsWithTags: ['type:pure', 'type:contract'],
    bannedExternalImports: ['@nestjs/*', 'typeorm', '@nats-io/*', 'pg', 'class-validator'],
  },
  { sourceTag: 'type:embedded', onlyDependOnLibsWithTags: [] },
  { sourceTag: 'type:web', onlyDependOnLibsWithTags: ['type:pure', 'type:client'] },
  { sourceTag: 'type:client', onlyDependOnLibsWithTags: [], allowedExternalImports: ['openapi-fetch'] },
  {
    sourceTag: 'type:testing',
    onlyDependOnLibsWithTags: ['type:pure', 'type:contract', 'type:data', 'type:platform', 'type:embedded'],
  },
  {
    sourceTag: 'type:e2e',
    onlyDependOnLibsWithTags: [
      'type:pure',
      'type:contract',
      'type:data',
      'type:platform',
      'type:testing',
      'type:embedded',
      'type:client',
    ],
  },
  {
    sourceTag: 'type:tools',
    onlyDependOnLibsWithTags: [
      'type:pure',
      'type:contract',
      'type:data',
      'type:application',
      'type:platform',
      'type:embedded',
      'type:testing',
    ],
  },
];

/** Tests of any project may use libs/testing; the rules of what ships do not bind them. */
const boundariesForTests = boundaries.map(({ sourceTag, onlyDependOnLibsWithTags }) => ({
  sourceTag,
  onlyDependOnLibsWithTags: [...onlyDependOnLibsWithTags, 'type:testing', 'type:embedded', 'type:data'],
}));

const moduleBoundaries = (depConstraints) => [
  'error',
  {
    enforceBuildableLibDependency: false,
    allow: ['jest\\.config\\.mjs$'],
    // libs/testing makes migrated databases, and the tests of libs/database run on the servers of libs/testing.
    ignoredCircularDependencies: [['@ams/database', '@ams/testing']],
    checkDynamicDependenciesExceptions: ['.*'], // nothing is bundled: a dynamic import splits no bundle
    depConstraints,
  },
];

export default tseslint.config(
  { ignores: ['**/dist/**', '**/bundle/**', '**/node_modules/**', '**/.local*/**'] },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    plugins: { '@nx': nx },
    rules: {
      // A type-only import would remove the metadata of decorators.
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-explicit-any': 'error',
      eqeqeq: ['error', 'always'],
      '@nx/enforce-module-boundaries': moduleBoundaries(boundaries),
    },
  },
  {
    files: ['**/*.spec.ts', '**/*.system.ts', '**/*.long.ts', '**/testing/**'],
    rules: { '@nx/enforce-module-boundaries': moduleBoundaries(boundariesForTests) },
  },
  {
    files: ['libs/domain/src/**/*.ts', 'libs/scopes/src/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': ['error', { name: 'process', message: 'pure code takes its settings as arguments' }],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'pure code takes the time as an argument' },
        { object: 'Math', property: 'random', message: 'pure code takes randomness as an argument' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'pure code takes the time as an argument',
        },
      ],
    },
  },
  {
    files: ['apps/dashboard/src/**/*.{ts,tsx}'],
    rules: {
      'no-restricted-imports': ['error', { name: '@ams/domain', message: 'the dashboard knows the API only' }],
    },
  },
  {
    files: ['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
    ignores: ['apps/dashboard/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { name: 'class-validator', importNames: ['IsPhoneNumber'], message: 'tools/bundle.mjs leaves its package out' },
      ],
    },
  },
  {
    files: ['apps/*/src/**/*.ts'],
    ignores: ['apps/dashboard/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'CallExpression > MemberExpression.callee[property.name=/^(save|remove)$/]',
          message:
            'Use insert, update or delete of the repository: save and remove read records before they write them.',
        },
      ],
    },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    ignores: ['apps/dashboard/public/**'],
    languageOptions: { globals: globals.node },
  },
  {
    files: ['apps/dashboard/public/**'],
    languageOptions: { globals: { ...globals.browser, ...globals.serviceworker } },
  },
);
