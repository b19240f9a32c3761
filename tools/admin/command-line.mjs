// The shared parts of commands. A command is a value
//
//   { says, words: ['EMAIL'], options: { role: { value: 'ROLE', says, required: true }, json },
//     fault(options, ...words), run(context, options, ...words) }
//
// from which its arguments are parsed and its help is generated. An argument in brackets is optional; an option without
// `value` is a flag. `fault` checks rules beyond single options: it returns an error message, or null. `run` returns `{
// record, lines }`, of which one is printed, or nothing when it has printed its output itself.
import { parseArgs } from 'node:util';

/** Invalid arguments: the error message is printed with the help. */
export class WrongWords extends Error {}

export const json = { says: 'output as JSON' };

/** `{ options, words }` for the command. Throws WrongWords. */
export function read(command, args) {
  const { values, positionals } = parsed(command, args);
  const missing = Object.entries(command.options ?? {}).filter(
    ([name, { required }]) => required && values[name] === undefined,
  );
  if (missing.length > 0) throw new WrongWords(`${missing.map(([name]) => `--${name}`).join(', ')} must be given.`);
  const words = command.words ?? [];
  const absent = words.slice(positionals.length).filter((word) => !word.startsWith('['));
  if (absent.length > 0) throw new WrongWords(`${absent.join(', ')} must be given.`);
  if (positionals.length > words.length) throw new WrongWords(`Unexpected argument "${positionals[words.length]}".`);
  const fault = command.fault?.(values, ...positionals);
  if (fault) throw new WrongWords(fault);
  return { options: values, words: positionals };
}

function parsed(command, args) {
  const options = Object.fromEntries(
    Object.entries(command.options ?? {}).map(([name, { value }]) => [name, { type: value ? 'string' : 'boolean' }]),
  );
  try {
    const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals: true, tokens: true });
    const names = tokens.filter(({ kind }) => kind === 'option').map(({ name }) => name);
    const twice = names.find((name, i) => names.indexOf(name) !== i);
    if (twice) throw new WrongWords(`--${twice} is repeated.`);
    return { values, positionals };
  } catch (error) {
    if (!error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    throw new WrongWords(`${error.message.split(/\.\s/)[0].replace(/\.$/, '')}.`); // the rest is advice for programmers
  }
}

/** `path` is its noun and verb. */
export function helpOf(path, { says, words = [], options = {} }) {
  const named = Object.entries(options).map(([name, { value, says: what, required }]) => ({
    name: value ? `--${name} ${value}` : `--${name}`,
    what,
    required,
  }));
  const usage = [path, ...words, ...named.map(({ name, required }) => (required ? name : `[${name}]`))].join(' ');
  const width = Math.max(0, ...named.map(({ name }) => name.length));
  const list = named.map(({ name, what }) => `\n  ${name.padEnd(width)}  ${what}`).join('');
  return `npm run admin -- ${usage}\n\n${says[0].toUpperCase()}${says.slice(1)}.${list && `\n${list}`}`;
}

/** A line for each command of the noun. */
export function overviewOf(noun, commands) {
  const lines = Object.entries(commands).map(([verb, { words = [], says }]) => ({
    usage: [noun, verb, ...words].join(' '),
    says,
  }));
  return lines.map(({ usage, says }) => `  ${usage.padEnd(27)} ${says}`).join('\n');
}
