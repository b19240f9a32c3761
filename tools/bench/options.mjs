// The command line of the benchmarks.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';

const listOf = (workloads) => workloads.map(({ name, about }) => `  ${name.padEnd(14)}${about}`).join('\n');

export const help = (usual, workloads) => `npm run bench -- [workload …] [options]

Without a workload, these are measured:
${listOf(usual)}

By name, or all with --all:
${listOf(workloads.filter((workload) => !usual.includes(workload)))}

  --all          all workloads
  --quick        short measurements, to test the benchmarks themselves
  --seconds N    duration of one measurement of one system (4; quick, and without a workload, 3)
  --rounds N     number of rounds in which the systems alternate (3; quick 2)
  --soak N       duration of the final measurement at the sustained rate, in seconds (60; quick 15)
  --large        list: 5 million alerts as well; stored: 5 million alerts and 20 million events
  --ways TEXT    neighbours, fairness: only the ways or storms whose description contains the text
  --rate N       sustained: hold only this rate, without a search
  --profile DIR  write CPU profiles of our services, and PostgreSQL's statements, when they stop (this slows them down)
  --json FILE    the file for the results (bench-results/<time>.json)
  --noisy        measure also when other processes use the machine
  --verbose      print the output of the installation
  --help`;

export function parseBenchOptions(args, workloads, usual) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: 'boolean', default: false },
      noisy: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      rounds: { type: 'string' },
      soak: { type: 'string' },
      large: { type: 'boolean', default: false },
      ways: { type: 'string', default: '' },
      rate: { type: 'string' },
      profile: { type: 'string' },
      json: { type: 'string' },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (name, otherwise) => {
    const value = Number(values[name] ?? otherwise);
    if (!(value > 0)) throw new Error(`--${name} must be a number above 0, not ${values[name]}`);
    return value;
  };
  const unknown = positionals.filter((name) => !workloads.some((workload) => workload.name === name));
  if (unknown.length > 0) throw new Error(`There is no workload "${unknown.join(', ')}".`);
  const { quick, large, noisy, verbose } = values;
  const brief = positionals.length === 0 && !values.all;
  const unnamed = values.all ? workloads : usual;
  return {
    help: values.help,
    names: positionals.length > 0 ? positionals : unnamed.map(({ name }) => name),
    quick,
    /** The usual run, which takes a quarter of an hour. */
    brief,
    large,
    noisy,
    verbose,
    seconds: number('seconds', quick || brief ? 3 : 4),
    rounds: number('rounds', quick ? 2 : 3),
    soak: number('soak', quick ? 15 : 60),
    ways: values.ways,
    rate: values.rate === undefined ? null : number('rate'),
    profile: values.profile ? resolve(values.profile) : null,
    json: values.json ? resolve(values.json) : null,
  };
}
