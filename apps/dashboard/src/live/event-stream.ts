/** Reads server-sent events (WHATWG HTML, 9.2) from a body; `EventSource` cannot send a header with the environment. */
export interface StreamMessage {
  event: string;
  data: string;
}

export interface Parser {
  /** The events that are complete after this text. */
  push(text: string): StreamMessage[];
  /** Milliseconds that the server asks to wait before the next connection, once it has asked. */
  retryMs: number | null;
  /** The last id, also of a message without data, such as a heartbeat; empty before the first one. */
  lastId: string;
}

export function eventStreamParser(): Parser {
  let rest = '';
  let id = '';
  let event = '';
  let data: string[] = [];
  const parser: Parser = {
    retryMs: null,
    lastId: '',
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      return lines.flatMap((line) => take(line.endsWith('\r') ? line.slice(0, -1) : line));
    },
  };
  function take(line: string): StreamMessage[] {
    if (line === '') {
      const message = { event: event || 'message', data: data.join('\n') };
      const isComplete = data.length > 0;
      parser.lastId = id;
      event = '';
      data = [];
      return isComplete ? [message] : [];
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
    else if (field === 'id') id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) parser.retryMs = Number(value);
    return [];
  }
  return parser;
}
