// `node --import <this file> script.mjs`: see typescript-hooks.mjs.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
