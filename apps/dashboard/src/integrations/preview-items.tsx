import type { Data } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { ToneMark } from '../ui/tone-mark.js';
import { rowsOfPreview, type Origin } from './preview-rows.js';
import { itemOf } from './request-items.js';
import styles from './mapping.module.css';

type PreviewItem = Data<'previewIntegration'>['items'][number];

const shown = 20;

/** Each alert that a payload gives, field by field. */
export function PreviewItems({ items }: { items: readonly PreviewItem[] }) {
  if (items.length === 0) return <p>{texts.integrations.mapping.noItems}</p>;
  return items.slice(0, shown).map((item, i) => <OneItem key={i} item={item} number={i + 1} />);
}

function OneItem({ item, number }: { item: PreviewItem; number: number }) {
  const said = texts.integrations;
  const { warnings, faults } = itemOf(item);
  const tone = { event: 'good', ignored: 'neutral', faulty: 'bad' } as const;
  const rows = rowsOfPreview(item.event, item.provenance);
  return (
    <div>
      <p>
        {said.requests.item(number)}{' '}
        <ToneMark tone={tone[item.outcome]}>{said.requests.itemOutcomes[item.outcome]}</ToneMark>{' '}
        {item.reason !== null && <bdi>{item.reason}</bdi>}
      </p>
      {[...faults, ...warnings].map(({ path, message }, i) => (
        <p key={i}>
          <code>{path}</code> <bdi>{message}</bdi>
        </p>
      ))}
      {rows.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{said.mapping.field}</th>
              <th scope="col">{said.mapping.result}</th>
              <th scope="col">{said.mapping.from}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ field, value, origin }) => (
              <tr key={field}>
                <td>{field}</td>
                <td>
                  <bdi className={styles.long}>{value}</bdi>
                </td>
                <td>{origin !== null && <OriginText origin={origin} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

function OriginText({ origin: { from, entry, path, template, raw, via } }: { origin: Origin }) {
  const said = texts.integrations.mapping;
  const place = path ?? template;
  return (
    <>
      {said.origins[from]?.(entry)}
      {place !== undefined && (
        <>
          {' '}
          <code>{place}</code>
        </>
      )}
      {via !== undefined && raw !== undefined && (
        <>
          ; <bdi>{said.raw(raw)}</bdi>, {said.vias[via] ?? via}
        </>
      )}
    </>
  );
}
