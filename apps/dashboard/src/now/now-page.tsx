import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { PageHeader } from '../ui/page-header.js';
import { Gaps } from './gaps.js';
import { MyOnCall } from './my-on-call.js';
import { OpenIncidents } from './open-incidents.js';
import { TryIt } from './try-it.js';
import styles from './now.module.css';

/** What is broken now, who has it, and what happens next. */
export function NowPage() {
  const can = useCan();
  return (
    <>
      <PageHeader title={texts.now.title} />
      <div className={styles.page}>
        <div className={styles.incidents}>{can('listIncidents') && <OpenIncidents />}</div>
        <div className={styles.side}>
          {can('getCurrentOnCall') && <MyOnCall />}
          {can('getCurrentOnCall') && <Gaps />}
          {can('createIntegration') && <TryIt />}
        </div>
      </div>
    </>
  );
}
