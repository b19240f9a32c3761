/** The result of the mapping of an integration for a payload. No alert is created. */
import type { Preview, PreviewItem } from '@ams/contracts';
import { compileMapping, mapPayloadInParts, type ItemResult, type MappingSettings } from '@ams/domain';
import { evaluationTurns } from '@ams/service';

/** The answer is one message. */
const maxBytes = 700 * 1024;

/** As many items as fit into an answer, at least one. */
export async function previewOf(organizationId: string, settings: MappingSettings, payload: unknown): Promise<Preview> {
  const owner = { organizationId, record: 'mapping preview' };
  const mapped = await evaluationTurns.run(
    owner,
    mapPayloadInParts(compileMapping(settings), payload, { explain: true }),
  );
  if (mapped.kind === 'handshake') return { kind: 'handshake', items: [] };
  const items: PreviewItem[] = [];
  let bytes = 0;
  for (const item of mapped.items.map(previewItem)) {
    bytes += Buffer.byteLength(JSON.stringify(item));
    if (bytes > maxBytes && items.length > 0) break;
    items.push(item);
  }
  return { kind: 'items', items };
}

const previewItem = (item: ItemResult): PreviewItem => ({
  outcome: item.kind,
  event: item.kind === 'event' ? item.event : null,
  warnings: item.kind === 'event' ? item.warnings : [],
  faults: item.kind === 'faulty' ? item.faults : [],
  provenance: item.kind === 'ignored' ? null : (item.provenance ?? null),
  reason: item.kind === 'ignored' ? item.reason : null,
});
