// The load generator, a separate process: HTTP/1.1 over plain sockets, one request at a time on each persistent
// connection. It parses only what the measured responses contain, so that it uses little CPU: the same for every
// system.
//
// A message contains the job, another one the results. The job:
//   port, connections   the port of 127.0.0.1, and the number of connections
//   method, targets     [{path, headers?}], in turn or at random (`order`)
//   body                null, or {item, count, before, after}: `item` is text with {{id}} in it, `count` of them
//                       between `before` and `after`, separated by commas
//   duplicates          the share of items that repeat an earlier id
//   seconds, warmup     durations; responses during the warm-up are not counted
//   requests            the number of requests, in place of `seconds`
//   rate                requests a second, independent of responses (open loop); null sends the next request after
//                       each response
//   expected            the status of success
//   sampleEvery         reports the id of every n-th request after its response ({sample, at})
import { connect } from 'node:net';

const digits = 12;

function requestsOf({ method, targets, order, body, duplicates, run }) {
  const heads = targets.map(({ path, headers = {} }) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${lines.join('')}`;
  });
  let turn = Math.floor(Math.random() * heads.length);
  const head = () => heads[order === 'random' ? Math.floor(Math.random() * heads.length) : turn++ % heads.length];
  if (!body) return () => ({ text: `${head()}\r\n`, id: null });
  const parts = body.item.split('{{id}}');
  let fresh = 0;
  const nextId = () => {
    const repeat = fresh > 0 && Math.random() < duplicates;
    const number = repeat ? fresh - 1 - Math.floor(Math.random() * Math.min(fresh, 1000)) : fresh++;
    return `${run}${String(number).padStart(digits - run.length, '0')}`;
  };
  const length =
    Buffer.byteLength(body.before + body.after) +
    body.count * (Buffer.byteLength(parts.join('')) + (parts.length - 1) * digits) +
    body.count -
    1;
  const rest = `content-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body.before}`;
  return () => {
    let text = head() + rest;
    let id = '';
    for (let i = 0; i < body.count; i++) {
      id = nextId();
      if (i > 0) text += ',';
      text += parts[0];
      for (let part = 1; part < parts.length; part++) text += id + parts[part];
    }
    return { text: text + body.after, id };
  };
}

/** One connection: `send(text, done)`, one at a time; `done(status)` with 0 when the connection failed. */
function connection(port) {
  let socket = null;
  let done = null;
  let rest = null;
  const open = () =>
    new Promise((resolve, reject) => {
      socket = connect({ host: '127.0.0.1', port, noDelay: true });
      socket.once('connect', resolve);
      socket.once('error', reject);
      socket.on('error', () => undefined);
      socket.on('data', received);
      socket.on('close', () => {
        socket = null;
        rest = null;
        settle(0);
      });
    });
  const settle = (status) => {
    const callback = done;
    done = null;
    callback?.(status);
  };
  const received = (chunk) => {
    const bytes = rest === null ? chunk : Buffer.concat([rest, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) return void (rest = bytes);
    const head = bytes.latin1Slice(0, end);
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
    if (bytes.length < end + 4 + length) return void (rest = bytes);
    rest = null;
    const status = Number(head.slice(9, 12));
    if (/\r\nconnection: *close/i.test(head)) socket.destroy();
    settle(status);
  };
  return {
    open,
    async send(text, callback) {
      if (socket === null) await open().catch(() => undefined);
      if (socket === null) return callback(0);
      done = callback;
      socket.write(text, 'latin1');
    },
    close: () => socket?.destroy(),
  };
}

async function run(job) {
  const next = requestsOf(job);
  const connections = Array.from({ length: job.connections }, () => connection(job.port));
  await Promise.all(connections.map((one) => one.open()));
  const statuses = {};
  const latencies = [];
  let succeeded = 0;
  let counted = 0;
  let lastAt = 0;
  let sent = 0;
  const cpu = process.cpuUsage();
  const began = performance.now();
  const countFrom = began + (job.warmup ?? 0) * 1000;
  const until = job.requests ? Infinity : countFrom + job.seconds * 1000;
  const ended = (status, since, id) => {
    const now = performance.now();
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === job.expected) {
      succeeded++;
      if (job.sampleEvery && succeeded % job.sampleEvery === 0)
        process.send({ sample: id, at: performance.timeOrigin + now });
    }
    if (now < countFrom || now > until) return;
    if (status === job.expected) counted++;
    latencies.push(now - since);
    lastAt = now;
  };
  if (job.rate) await openLoop();
  else await Promise.all(connections.map(closedLoop));
  const { user, system } = process.cpuUsage(cpu);
  connections.forEach((one) => one.close());
  const seconds = (job.requests ? lastAt - began : until - countFrom) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (part) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? null;
  return {
    requests: counted,
    seconds,
    rate: counted / seconds,
    items: counted * (job.body?.count ?? 1),
    itemRate: (counted * (job.body?.count ?? 1)) / seconds,
    p50: at(0.5),
    p90: at(0.9),
    p99: at(0.99),
    max: latencies.at(-1) ?? null,
    statuses,
    sent,
    succeeded,
    itemsSucceeded: succeeded * (job.body?.count ?? 1),
    clientCpuSeconds: (user + system) / 1e6,
  };

  function closedLoop(one) {
    return new Promise((resolve) => {
      const again = () => {
        if (performance.now() >= until || (job.requests && sent >= job.requests)) return resolve();
        sent++;
        const { text, id } = next();
        const since = performance.now();
        void one.send(text, (status) => {
          ended(status, since, id);
          // Do not send at full speed to a system that does not respond.
          if (status === 0) setTimeout(again, 20);
          else again();
        });
      };
      again();
    });
  }

  /** Latency counts from the scheduled time of a request, not from the time when a connection was free. */
  function openLoop() {
    const idle = [...connections];
    const due = [];
    return new Promise((resolve) => {
      let planned = 0;
      let open = 0;
      const most = job.requests ?? Math.round(((job.warmup ?? 0) + job.seconds) * job.rate);
      const serve = () => {
        while (idle.length > 0 && due.length > 0) {
          const since = due.shift();
          const one = idle.pop();
          const { text, id } = next();
          open++;
          sent++;
          void one.send(text, (status) => {
            open--;
            idle.push(one);
            ended(status, since, id);
            serve();
            if (planned === most && due.length === 0 && open === 0) resolve();
          });
        }
      };
      const tick = () => {
        const now = performance.now();
        for (; planned < most && began + (planned * 1000) / job.rate <= now; planned++)
          due.push(began + (planned * 1000) / job.rate);
        // The client cannot catch up: waiting requests are dropped, which shows as a lower rate.
        if (due.length > job.rate * 5) due.splice(0, due.length - Math.ceil(job.rate * 5));
        serve();
        if (planned < most) setTimeout(tick, 1);
      };
      tick();
    });
  }
}

process.on('message', (job) => {
  run(job).then(
    (figures) => process.send({ figures }, () => process.exit(0)),
    (error) => process.send({ failed: error.message }, () => process.exit(1)),
  );
});
process.on('disconnect', () => process.exit(1));
