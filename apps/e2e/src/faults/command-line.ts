/** The command `npm run faults`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../system/replica.js';
import { missingNeeds } from './needs.js';
import { randomOf } from './random.js';
import { detailsOf, isResult, tableOf, verdictOf } from './report.js';
import { runFaults, type FaultResult, type SkippedFault } from './run-faults.js';
import { faultsOf } from './table.js';

const help = `npm run faults -- [options]: injects faults into a whole installation under load.

  --only NAME,…      these faults, or all of a class; --list shows them
  --quick            a selection that takes less than ten minutes
  --seed N           repeats a run: order, times, contents
  --repeat N         runs each fault N times, with the seeds N, N + 1, …
  --rate N           messages of senders a second (25)
  --yesterday DIR    a checkout of an earlier release, with compiled services, for yesterday-beside-today
  --statements N     prints what PostgreSQL did after a fault: the N longest statements, and the progress in each second
  --list             lists the faults

The results are printed and written to fault-results/.`;

/** `--quick` ends faults after this time. */
const quickSeconds = 15;

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      seed: { type: 'string' },
      repeat: { type: 'string', default: '1' },
      rate: { type: 'string', default: '25' },
      statements: { type: 'string', default: '0' },
      list: { type: 'boolean', default: false },
      yesterday: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const machine = { yesterday: values.yesterday === undefined ? undefined : resolve(values.yesterday) };
  const faults = faultsOf(machine);
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (values.list) {
    for (const fault of faults) {
      const missing = missingNeeds(fault, machine);
      console.log(`${fault.name.padEnd(32)} ${fault.what}${missing === null ? '' : ` (left out: ${missing})`}`);
    }
    return 0;
  }
  const only = values.only?.split(',');
  const unknown = only?.filter((name) => !faults.some((fault) => fault.name === name || fault.class === name)) ?? [];
  if (unknown.length > 0) {
    console.error(`unknown faults: ${unknown.join(', ')}; --list shows them`);
    return 2;
  }
  const seed = values.seed === undefined ? Math.floor(Math.random() * 1e6) : Number(values.seed);
  const isChosen = (name: string, kind: string, quick: boolean): boolean =>
    only ? only.includes(name) || only.includes(kind) : !values.quick || quick;
  const chosen = faults.filter(({ name, class: kind, quick = false }) => isChosen(name, kind, quick));
  const results: (FaultResult | SkippedFault)[] = [];
  console.log(`seed ${seed}, ${chosen.length} faults`);
  for (let n = 0; n < Number(values.repeat); n++) {
    const options = {
      seed: seed + n,
      perSecond: Number(values.rate),
      maxSeconds: values.quick ? quickSeconds : Number.POSITIVE_INFINITY,
      patienceSeconds: 120,
      machine,
      statements: Number(values.statements),
      logFolder: join(resultFolder, startedAt),
      log: (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
    };
    for await (const result of runFaults(randomOf(seed + n).shuffled(chosen), options)) {
      results.push(result);
      console.log(
        isResult(result) ? `${tableOf([result])}\n${detailsOf(result)}` : `${result.fault.name}: ${result.because}`,
      );
      write(seed, results);
    }
  }
  const failed = results.filter(isResult).filter((result) => verdictOf(result) !== 'passed');
  const broken = results.filter((result) => !isResult(result) && result.isFailure);
  console.log(
    `\n${tableOf(results)}\n\nseed ${seed}, ${failed.length + broken.length} of ${results.length} failed or slow`,
  );
  for (const result of failed) console.log(detailsOf(result));
  return failed.length + broken.length === 0 ? 0 : 1;
}

const resultFolder = join(root, 'fault-results');
/** One file for each run. It is written after each fault. */
const startedAt = new Date().toISOString().replace(/[:.]/g, '-');

function write(seed: number, results: readonly (FaultResult | SkippedFault)[]): void {
  mkdirSync(resultFolder, { recursive: true });
  writeFileSync(join(resultFolder, `${startedAt}.json`), `${JSON.stringify({ seed, results }, null, 2)}\n`);
}
