import eslint from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'schema/client/src/documents/',
      'coverage/',
      'test/generators/clients/',
      'schema/client/recipes/',
    ],
  },
  eslint.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: [
          './test/tsconfig.json',
          './src/pages/browser/tsconfig.json',
          './schema/client/example/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/require-await': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.ts'],
    rules: {
      'max-lines-per-function': ['error', 80],
      'no-restricted-syntax': [
        'error',
        ...[
          'ObjectExpression:has(> SpreadElement):has(> Property[key.name=/^\\$(and|or|nor|not|eq|ne|gte?|lte?|n?in|exists|type|elemMatch)$/])',
          'Property[key.name="$match"] > ObjectExpression > SpreadElement',
          'CallExpression[callee.property.name=/^(find|findOne|countDocuments|findOneAndUpdate|(update|delete)(One|Many))$/] > ObjectExpression:first-child > SpreadElement',
        ].map((selector) => ({
          selector,
          message: 'Join conditions with allOf: a spread can replace one, even the reach.',
        })),
        {
          selector: 'Program:has(Decorator):not(:has(ImportDeclaration[source.value="reflect-metadata"]))',
          message: 'Import reflect-metadata where decorators run, or the file fails if it loads first.',
        },
      ],
    },
  },
  {
    files: ['src/cli/**', 'src/build/**', 'test/bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: { module: 'writable', process: 'readonly', console: 'readonly', performance: 'readonly' },
    },
  },
);
