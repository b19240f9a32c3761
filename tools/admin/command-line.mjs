// The shared parts of commands. A command is a value:
//
//   { summary, positionals: ['EMAIL'], options: { role: { value: 'ROLE', summary, required: true }, json },
//     timeoutMs, fault(options, ...positionals), run(context, options, ...positionals) }
//
// Its arguments are parsed and its help is generated from this value. An argument in brackets is optional; an option
// without `value` is a flag. `timeoutMs` is how long a statement may take, when the usual time is too short. `fault`
// checks rules beyond single options: it returns an error message, or null. `run` returns `{ record, lines }`: `record`
// is printed with --json, otherwise `lines`. It returns nothing when it has printed its output itself. An error that it
// throws may have `more`, further lines for the operator.
import { parseArgs } from 'node:util';

/** Invalid arguments: the error message is printed with the help. */
export class InvalidArguments extends Error {}

export const json = { summary: 'output as JSON' };

/** `{ options, positionals }` for the command. Throws InvalidArguments. */
export function read(command, args) {
  const { values, positionals } = parsed(command, args);
  const missing = Object.entries(command.options ?? {}).filter(
    ([name, { required }]) => required && values[name] === undefined,
  );
  if (missing.length > 0)
    throw new InvalidArguments(`${missing.map(([name]) => `--${name}`).join(', ')} must be given.`);
  const names = command.positionals ?? [];
  const absent = names.slice(positionals.length).filter((name) => !name.startsWith('['));
  if (absent.length > 0) throw new InvalidArguments(`${absent.join(', ')} must be given.`);
  if (positionals.length > names.length)
    throw new InvalidArguments(`Unexpected argument "${positionals[names.length]}".`);
  const fault = command.fault?.(values, ...positionals);
  if (fault) throw new InvalidArguments(fault);
  return { options: values, positionals };
}

function parsed(command, args) {
  const options = Object.fromEntries(
    Object.entries(command.options ?? {}).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]),
  );
  try {
    const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals: true, tokens: true });
    const names = tokens.filter(({ kind }) => kind === 'option').map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice) throw new InvalidArguments(`--${twice} is repeated.`);
    return { values, positionals };
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    // The rest of the message is advice for programmers.
    throw new InvalidArguments(`${error.message.split(/\.\s/)[0].replace(/\.$/, '')}.`);
  }
}

/** The help of a command; `path` is its noun and verb. */
export function helpOf(path, { summary, positionals = [], options = {} }) {
  const named = Object.entries(options).map(([name, { value, summary: what, required }]) => ({
    name: value ? `--${name} ${value}` : `--${name}`,
    what,
    required,
  }));
  const usage = [path, ...positionals, ...named.map(({ name, required }) => (required ? name : `[${name}]`))].join(' ');
  const width = Math.max(0, ...named.map(({ name }) => name.length));
  const list = named.map(({ name, what }) => `\n  ${name.padEnd(width)}  ${what}`).join('');
  return `npm run admin -- ${usage}\n\n${summary[0].toUpperCase()}${summary.slice(1)}.${list && `\n${list}`}`;
}

/** A line for each command of the noun. */
export function overviewOf(noun, commands) {
  const lines = Object.entries(commands).map(([verb, { positionals = [], summary }]) => ({
    usage: [noun, verb, ...positionals].join(' '),
    summary,
  }));
  return lines.map(({ usage, summary }) => `  ${usage.padEnd(27)} ${summary}`).join('\n');
}
