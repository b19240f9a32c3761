import { Button } from '@mantine/core';
import type { Data } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { ExactTime } from '../ui/exact-time.js';
import { FormError } from '../ui/form-error.js';
import { ToneMark, type Tone } from '../ui/tone-mark.js';
import type { Mapping } from './mapping.js';
import formStyles from '../ui/form.module.css';
import styles from './mapping.module.css';

type Replay = Data<'replayIntegration'>;
type Difference = keyof typeof texts.integrations.mapping.counts;

const tones: Record<Difference, Tone> = { same: 'neutral', changed: 'waiting', nowAccepted: 'good', nowRefused: 'bad' };
const differences = Object.keys(tones) as Difference[];

/** What the changed mapping would make of the payloads that have arrived. */
export function ReplayPanel({ id, mapping }: { id: string; mapping: Mapping }) {
  const said = texts.integrations.mapping;
  const replay = useAct('replayIntegration');
  return (
    <section className={styles.box} aria-labelledby="replay">
      <h2 id="replay">{said.replay}</h2>
      <p className={styles.dimmed}>{said.replayHint}</p>
      <div className={styles.row}>
        <Button
          variant="default"
          loading={replay.isPending}
          onClick={() => replay.mutate({ path: { id }, body: { ...mapping, dryRun: true } })}
        >
          {said.replayRun}
        </Button>
      </div>
      {replay.error?.fields.map(({ path, message }) => (
        <p key={path} className={formStyles.fault}>
          {message}
        </p>
      ))}
      {(replay.error?.fields.length ?? 1) === 0 && <FormError error={replay.error} />}
      {replay.data !== undefined && <Replayed replay={replay.data.data} />}
    </section>
  );
}

function Replayed({ replay }: { replay: Replay }) {
  const said = texts.integrations.mapping;
  const total = differences.reduce((sum, name) => sum + replay[name], 0);
  if (total === 0) return <p>{said.replayNone}</p>;
  return (
    <>
      <div className={styles.counts} role="status">
        {differences
          .filter((name) => replay[name] > 0)
          .map((name) => (
            <ToneMark key={name} tone={tones[name]}>
              {said.counts[name](replay[name])}
            </ToneMark>
          ))}
      </div>
      {replay.same === total && <p>{said.replaySame}</p>}
      {replay.nowRefused > 0 && <p className={formStyles.fault}>{said.refusedWarning}</p>}
      {replay.payloads.map((payload) => (
        <Changes key={payload.integrationRequestId} payload={payload} />
      ))}
    </>
  );
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '–' : typeof value === 'string' ? value : JSON.stringify(value);

function Changes({ payload: { receivedAt, difference, changes } }: { payload: Replay['payloads'][number] }) {
  const said = texts.integrations.mapping;
  return (
    <div>
      <h3>
        <ExactTime at={receivedAt} /> <ToneMark tone={tones[difference]}>{said.differences[difference]}</ToneMark>
      </h3>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{said.field}</th>
            <th scope="col">{said.before}</th>
            <th scope="col">{said.after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ item, field, before, after }, i) => (
            <tr key={i}>
              <td>
                {Number(item) > 0 ? `${Number(item) + 1} · ` : ''}
                {String(field)}
              </td>
              <td>
                <bdi className={styles.long}>{textOf(before)}</bdi>
              </td>
              <td>
                <bdi className={styles.long}>{textOf(after)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
