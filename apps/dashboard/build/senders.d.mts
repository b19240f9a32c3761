import type { Plugin } from 'vite';

export function senders(): Plugin;
export function sendersOf(document: string): { type: string; name: string; setup: string }[];
