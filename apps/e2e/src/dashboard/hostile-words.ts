/** Words that somebody may send or type to break a page. None is longer than the API permits. */
import type { Words } from './furnished.js';

const code = '<img src=x onerror=alert(1)><script>alert(2)</script>"\'>{{7*7}}';
const direction = '\u202e drow \u2066 isolated';
const long = 'W'.repeat(10_000);

export const hostileWords: Words = {
  name: `${code} ${direction} 👩🏽‍🚒 ${long}`.slice(0, 200),
  title: `${code} ${direction} 👩🏽‍🚒 ${long}`.slice(0, 1024),
  text: `${code} ${direction} 👩🏽‍🚒 ${long}`,
};
