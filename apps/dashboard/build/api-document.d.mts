import type { Plugin } from 'vite';

export function apiDocument(): Plugin;
export function operationsOf(document: object): Record<string, [string, string, string | null]>;
export function schemaOf(document: object, name: string): object;
