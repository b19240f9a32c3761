/** The texts of the page. A second language is one more catalogue with these names. */
export * as texts from './en.js';
