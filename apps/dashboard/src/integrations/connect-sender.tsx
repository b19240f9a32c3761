import type { Data } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { CodeBlock } from '../ui/code-block.js';
import { Section } from '../ui/section.js';
import { senderOf } from './senders.js';
import { setupOf, tryIt } from './sender-setup.js';
import styles from './integrations.module.css';

/** The URL, once, and what the sender needs to use it. */
export function ConnectSender({ integration }: { integration: Data<'createIntegration'> }) {
  const { type, ingestUrl, token } = integration;
  const said = texts.integrations.created;
  return (
    <>
      <Section title={said.title} hint={said.once}>
        <CodeBlock title={said.url} text={ingestUrl} isSecret />
      </Section>
      <Section title={said.setup}>
        <div className={styles.parts}>
          {setupOf(type, senderOf(type).setup, { ingestUrl, token }).map((part, i) =>
            part.kind === 'text' ? (
              <p key={i}>{part.text}</p>
            ) : (
              <CodeBlock key={i} title={part.title} text={part.text} />
            ),
          )}
        </div>
      </Section>
      <Section title={said.tryIt}>
        <CodeBlock title={said.curl} text={tryIt(type, { ingestUrl, token })} />
      </Section>
    </>
  );
}
