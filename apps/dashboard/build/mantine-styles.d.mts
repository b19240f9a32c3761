import type { Plugin } from 'vite';

export function mantineStyles(): Plugin;
export function stylesOf(sources: string): string[];
