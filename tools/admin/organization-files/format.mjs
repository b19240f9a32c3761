// The file of an organization: a JSON text in each line. The first line is the header, the last one the end, with the
// number of lines before it and the SHA-256 of their bytes. The lines between are records: { kind, row }, with the
// columns of the table by their names (docs/export-import.md).
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dataKeyKind, kinds } from './kinds.mjs';

export const format = 'alert-management-organization';
export const version = 1;

/** No row of the database is as long in JSON. */
const maxLineBytes = 64 * 1024 * 1024;

/** Something is wrong with the file, or does not fit the installation. */
export class FileFault extends Error {}

export const fileKinds = [dataKeyKind, ...kinds];
export const kindsByName = new Map(fileKinds.map((one) => [one.kind, one]));

/** Writes lines into an open file, in blocks. */
export class LineWriter {
  hash = createHash('sha256');
  lines = 0;
  #waiting = [];
  #bytes = 0;

  constructor(handle) {
    this.handle = handle;
  }

  async add(text) {
    this.lines++;
    this.#waiting.push(text, '\n');
    this.#bytes += text.length;
    if (this.#bytes > 1024 * 1024) await this.#flush();
  }

  async #flush() {
    const block = Buffer.from(this.#waiting.join(''));
    this.#waiting = [];
    this.#bytes = 0;
    this.hash.update(block);
    await this.handle.writeFile(block);
  }

  /** Returns the SHA-256 of the lines before the end. */
  async end() {
    await this.#flush();
    const sha256 = this.hash.digest('hex');
    await this.handle.writeFile(`${JSON.stringify({ kind: 'end', lines: this.lines, sha256 })}\n`);
    await this.handle.sync();
    return sha256;
  }
}

/**
 * The lines of a file: { number, text, bytes, value }. Checks the form of the whole: JSON, the end, its checksum. The end
 * is not among the lines; `outcome.sha256` is its checksum.
 */
export async function* linesOf(file, outcome = {}) {
  const hash = createHash('sha256');
  let number = 0;
  let end = null;
  for await (const bytes of blocksOf(file)) {
    number++;
    if (end) throw new FileFault(`line ${number}: there is a line after the end.`);
    const value = parsed(bytes, number);
    if (value.kind === 'end') {
      end = value;
      continue;
    }
    hash.update(bytes).update('\n');
    yield { number, bytes, value };
  }
  if (!end) throw new FileFault('the file has no end: it was cut off, or its export was not finished.');
  outcome.sha256 = hash.digest('hex');
  if (end.lines !== number - 1) throw new FileFault(`the end names ${end.lines} lines, and there are ${number - 1}.`);
  if (end.sha256 !== outcome.sha256)
    throw new FileFault('the checksum is wrong: the file was changed after its export.');
}

/** The lines as bytes, without the line feeds. */
async function* blocksOf(file) {
  let rest = [];
  let restBytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, at);
      yield rest.length > 0 ? Buffer.concat([...rest, piece]) : piece;
      rest = [];
      restBytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) {
      rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > maxLineBytes) throw new FileFault(`a line has more than ${maxLineBytes} bytes.`);
    }
  }
  if (restBytes > 0) throw new FileFault('the file has no end: it was cut off, or its export was not finished.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parsed(bytes, number) {
  let value;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    throw new FileFault(`line ${number}: this is no JSON in UTF-8.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FileFault(`line ${number}: this is no JSON object.`);
  return value;
}

/** Throws FileFault. Returns the header. */
export function checkedHeader(value) {
  if (value.kind !== 'header' || value.format !== format)
    throw new FileFault('line 1: this is no file of an organization, as "organizations export" writes it.');
  if (value.version !== version)
    throw new FileFault(`line 1: the file has version ${value.version} of the format; this release reads ${version}.`);
  const { organization, schema, counts, exportedAt, contents, since, secrets } = value;
  const isRight =
    isUuid(organization?.id) &&
    [organization.slug, organization.name, schema, exportedAt, contents].every((text) => typeof text === 'string') &&
    isObject(counts) &&
    Object.values(counts).every(Number.isSafeInteger) &&
    (since === null || typeof since === 'string') &&
    isObject(secrets) &&
    (typeof secrets.salt === 'string' || isListOfRecords(secrets.leftOut));
  if (!isRight) throw new FileFault('line 1: a part of the header is missing or has another type.');
  const unknown = Object.keys(counts).find((kind) => !kindsByName.has(kind));
  if (unknown !== undefined) throw new FileFault(`line 1: there is no kind "${unknown}".`);
  return value;
}

const isListOfRecords = (value) =>
  Array.isArray(value) &&
  value.every(
    (one) => isObject(one) && [one.kind, one.id, one.environment, one.name].every((text) => typeof text === 'string'),
  );
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isUuid = (text) =>
  typeof text === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
