// Tests the drop-in APIs with the packages that real senders use: every call of @pagerduty/pdjs, node-pagerduty and
// opsgenie-sdk that this service supports, and how it refuses others. Exit code 0 on success.
//
//   node tools/try-senders.mjs <URL of the service> <ingest token>
//
// The integration of the token gets alerts. The packages are no dependencies of this project, because node-pagerduty
// installs npm itself: they are installed into a temporary folder, so this needs the registry.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const packages = { '@pagerduty/pdjs': '2.2.4', 'node-pagerduty': '1.3.6', 'opsgenie-sdk': '0.5.1' };

const [base, token] = process.argv.slice(2);
if (!base || !token) {
  console.error('usage: node tools/try-senders.mjs <URL of the service> <ingest token>');
  process.exit(2);
}
const target = new URL(base);

/** Both packages of PagerDuty always use HTTPS, and one of them a fixed host: their requests go to the service. */
const { request: requestByHttps } = https;
const send = target.protocol === 'https:' ? requestByHttps : http.request;
https.request = (options, callback) =>
  send(
    {
      ...options,
      protocol: target.protocol,
      host: target.hostname,
      hostname: target.hostname,
      port: target.port,
      agent: undefined,
    },
    callback,
  );

const folder = mkdtempSync(join(tmpdir(), 'try-senders-'));
let failures = 0;

function check(what, isRight, found) {
  if (!isRight) failures++;
  console.log(`  ${isRight ? 'ok    ' : 'FAILED'}  ${what}${isRight ? '' : `: ${JSON.stringify(found)}`}`);
}

async function eventually(what, attempt) {
  for (let tries = 1; ; tries++) {
    const found = await attempt();
    if (found.isRight || tries === 100) {
      check(what, found.isRight, found);
      return found;
    }
    await sleep(100);
  }
}

async function tryPdjs({ event, trigger, acknowledge, resolve, change }) {
  const key = `pdjs-${Date.now()}`;
  const payload = { summary: 'Disk full', source: 'web-01', severity: 'error', custom_details: { disk: 'sda' } };
  const of = (data) => ({ data: { routing_key: token, ...data } });
  for (const [name, call, data] of [
    ['event', event, { event_action: 'trigger', dedup_key: key, payload }],
    ['trigger', trigger, { dedup_key: key, payload }],
    ['acknowledge', acknowledge, { dedup_key: key }],
    ['resolve', resolve, { dedup_key: key }],
  ]) {
    const { response, data: answer } = await call(of(data));
    check(`pdjs ${name}`, response.status === 202 && answer.dedup_key === key, answer);
  }
  const changed = await change(
    of({ payload: { summary: 'Deploy', source: 'ci', timestamp: new Date().toISOString() } }),
  );
  check('pdjs change', changed.response.status === 202 && changed.data.status === 'success', changed.data);
  const refused = await trigger({ data: { routing_key: 'x'.repeat(32), dedup_key: key, payload } });
  check('pdjs with an unknown key', refused.response.status === 400 && refused.data.errors.length > 0, refused.data);
}

async function tryNodePagerDuty(PagerDuty) {
  const { events } = new PagerDuty('unused');
  const key = `node-pagerduty-${Date.now()}`;
  const payload = { summary: 'Disk full', source: 'web-01', severity: 'critical' };
  for (const event_action of ['trigger', 'acknowledge', 'resolve']) {
    const sent = { routing_key: token, event_action, dedup_key: key, ...(event_action === 'trigger' && { payload }) };
    const answer = await events.sendEvent(sent).catch((error) => ({ error: String(error) }));
    check(`node-pagerduty sendEvent ${event_action}`, answer.dedup_key === key, answer);
  }
}

/** A call of the SDK, which has callbacks. */
const called = (call, ...args) =>
  new Promise((resolve) => call(...args, (error, answer) => resolve({ error, answer: answer ?? undefined })));

async function tryOpsgenieAlerts({ alertV2 }) {
  const alias = `sdk-${Date.now()}`;
  const byAlias = { identifier: alias, identifierType: 'alias' };
  const accepted = async (name, call, ...args) => {
    const { error, answer } = await called(call, ...args, {});
    check(`opsgenie-sdk ${name}`, !error && typeof answer?.requestId === 'string', error ?? answer);
    return answer?.requestId;
  };
  const result = async (requestId) => {
    const found = await eventually('opsgenie-sdk getRequestStatus', async () => {
      const { error, answer } = await called(alertV2.getRequestStatus, requestId, {});
      return { isRight: answer?.data?.isSuccess === true, error, answer };
    });
    return found.answer?.data;
  };
  const get = async (identifier) => (await called(alertV2.get, identifier, {})).answer?.data;

  const created = await result(
    await accepted('create', alertV2.create, {
      message: 'Disk full',
      alias,
      priority: 'P2',
      tags: ['a', 'env:prod'],
      details: { disk: 'sda' },
    }),
  );
  check('opsgenie-sdk get by alias', (await get(byAlias))?.alias === alias, await get(byAlias));
  const byId = { identifier: created?.alertId, identifierType: 'id' };
  check('opsgenie-sdk get by id', (await get(byId))?.message === 'Disk full', await get(byId));
  const changes = [
    ['addNote', alertV2.addNote, byAlias, { note: 'looking', user: 'kim' }],
    ['addTags', alertV2.addTags, byAlias, { tags: ['b'] }],
    ['removeTags', alertV2.removeTags, byAlias, { tags: 'a' }],
    ['addDetails', alertV2.addDetails, byId, { details: { rack: '7' } }],
    ['removeDetails', alertV2.removeDetails, byId, { keys: 'disk' }],
    ['assign', alertV2.assign, byAlias, { owner: { username: 'nobody@example.com' } }],
    ['acknowledge', alertV2.acknowledge, byAlias, {}],
    ['unacknowledge', alertV2.unacknowledge, byAlias, {}],
  ];
  let last;
  for (const [name, call, ...args] of changes) last = await accepted(name, call, ...args);
  await result(last);
  const changed = await get(byId);
  check(
    'opsgenie-sdk: the alert after all changes',
    changed?.tags.join() === 'b' &&
      changed.details.rack === '7' &&
      !('disk' in changed.details) &&
      !changed.acknowledged,
    changed,
  );
  const list = await called(alertV2.list, { query: `status: open AND alias: ${alias}`, limit: 5 }, {});
  check('opsgenie-sdk list', list.answer?.data?.[0]?.id === created?.alertId, list.error ?? list.answer);
  await result(await accepted('close by id', alertV2.close, byId, { note: 'done' }));
  check('opsgenie-sdk: closed', (await get(byId))?.status === 'closed', await get(byId));

  const nameless = await result(
    await accepted('create without an alias', alertV2.create, { message: `Nameless ${alias}` }),
  );
  const namelessId = { identifier: nameless?.alertId, identifierType: 'id' };
  await result(await accepted('delete by id', alertV2.delete, namelessId));
  check('opsgenie-sdk: an alert without an alias is closed by its id', (await get(namelessId))?.status === 'closed');

  for (const [name, status, call, ...args] of [
    ['snooze', 422, alertV2.snooze, byAlias, { endTime: new Date().toISOString() }],
    ['escalateToNext', 404, alertV2.escalateToNext, byAlias, { escalation: { name: 'e' } }],
    ['addTeam', 404, alertV2.addTeam, byAlias, { team: { name: 't' } }],
    ['executeAction', 404, alertV2.executeAction, byAlias, { action: 'restart' }],
    ['listAlertRecipients', 404, alertV2.listAlertRecipients, byAlias],
    ['listAlertLogs', 404, alertV2.listAlertLogs, byAlias, {}],
    ['listAlertNotes', 405, alertV2.listAlertNotes, byAlias, {}],
    ['listSavedSearches', 404, alertV2.listSavedSearches],
    ['get of no alert', 404, alertV2.get, { identifier: 'none', identifierType: 'alias' }],
  ]) {
    const { error } = await called(call, ...args, {});
    check(
      `opsgenie-sdk ${name} is refused`,
      error?.httpStatusCode === status && typeof error.message === 'string',
      error,
    );
  }
}

async function tryOpsgenieHeartbeats({ heartbeat }) {
  const name = `backup-${Date.now()}`;
  const steps = [
    ['create', [{ name, interval: 10, intervalUnit: 'minutes', enabled: true }, {}], ({ data }) => data.name === name],
    // The SDK passes the arguments of a ping on to a function that has one less.
    ['ping', [{ identifier: name }, {}], ({ result }) => /PONG/.test(result)],
    ['get', [name, {}], ({ data }) => data.enabled === true && data.expired === false],
    ['list', [{}, {}], ({ data }) => data.heartbeats.some((one) => one.name === name)],
    ['update', [name, { interval: 2, intervalUnit: 'hours' }, {}], ({ data }) => data.intervalUnit === 'hours'],
    ['disable', [{ identifier: name }, {}], ({ data }) => data.enabled === false],
    ['enable', [{ identifier: name }, {}], ({ data }) => data.enabled === true],
    ['delete', [name, {}], ({ message }) => message.includes(name)],
  ];
  for (const [method, args, isRight] of steps) {
    const { error, answer } = await called(heartbeat[method].bind(heartbeat), ...args);
    check(`opsgenie-sdk heartbeat.${method}`, !error && isRight(answer), error ?? answer);
  }
  const { error } = await called(heartbeat.get.bind(heartbeat), name, {});
  check('opsgenie-sdk heartbeat.get of no heartbeat is refused', error?.httpStatusCode === 404, error);
}

try {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: packages }));
  const installed = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (installed.status !== 0) throw new Error('the packages could not be installed');
  const require = createRequire(join(folder, 'package.json'));
  const opsgenie = require('opsgenie-sdk');
  opsgenie.configure({ host: base.replace(/\/$/, ''), api_key: token });
  await tryPdjs(require('@pagerduty/pdjs'));
  await tryNodePagerDuty(require('node-pagerduty'));
  await tryOpsgenieAlerts(opsgenie);
  await tryOpsgenieHeartbeats(opsgenie);
} catch (error) {
  failures++;
  console.error(error);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'All calls were answered as expected.' : `${failures} checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;
