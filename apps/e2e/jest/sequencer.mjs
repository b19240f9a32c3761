// The order of the test files. The shared system and the browser run from the first file that uses them until the end,
// and cost CPU time also while nobody calls them. So the files that use neither are first, and those of the browser last.
import { readFileSync } from 'node:fs';

const used = ['/shared-system.js', '/dashboard.js'];
const rank = ({ path }) => {
  const text = readFileSync(path, 'utf8');
  return 1 + used.findLastIndex((module) => text.includes(`${module}'`));
};

export default class Sequencer {
  sort(tests) {
    const ranks = new Map(tests.map((test) => [test, rank(test)]));
    return [...tests].sort((a, b) => ranks.get(a) - ranks.get(b) || a.path.localeCompare(b.path));
  }

  /** Jest gives the durations here. The order does not depend on them. */
  cacheResults() {}
}
