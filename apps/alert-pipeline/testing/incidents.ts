/** Calls of the operations of incidents, for tests. */
import { createIncident, publicId, updateIncident, type Answer, type Call, type Incident } from '@ams/contracts';
import { dataOf, eventOf, type AlertFound, type Sender, type TestPipeline } from './support.js';

export const alertId = ({ id }: AlertFound): string => publicId('alert', id);

export interface TestIncidents {
  post(sender: Sender, body?: object, more?: Partial<Call>): Promise<Answer>;
  put(sender: Sender, id: string, body: object, more?: Partial<Call>): Promise<Answer>;
  opened(sender: Sender, body?: object): Promise<Incident>;
  changed(sender: Sender, id: string, body: object): Promise<Incident>;
  /** Opens an alert for each fingerprint. Returns their public ids in the same order. */
  fired(sender: Sender, ...fingerprints: string[]): Promise<string[]>;
  /** Incidents, timelines and counts agree with each other. */
  expectConsistent(sender: Sender): Promise<void>;
}

/** `pipelineOf`: a function, because a test starts the pipeline later. */
export function testIncidents(pipelineOf: () => TestPipeline): TestIncidents {
  const incidents: TestIncidents = {
    post: (sender, body = {}, more = {}) =>
      pipelineOf().call(sender, createIncident, {
        body: { title: 'Checkout is slow', severity: 'high', ...body },
        ...more,
      }),
    put: (sender, id, body, more = {}) => pipelineOf().call(sender, updateIncident, { params: { id }, body, ...more }),
    opened: async (sender, body) => dataOf<Incident>(await incidents.post(sender, body)),
    changed: async (sender, id, body) => dataOf<Incident>(await incidents.put(sender, id, body)),
    async fired(sender, ...fingerprints) {
      await pipelineOf().send(...fingerprints.map((fingerprint) => eventOf(sender, { fingerprint })));
      return Promise.all(
        fingerprints.map(async (fingerprint) => alertId(await pipelineOf().alertOf(sender, fingerprint))),
      );
    },
    async expectConsistent(sender) {
      await pipelineOf().expectCorrectIncidents(sender);
      await pipelineOf().expectWholeTimeline(sender);
      await pipelineOf().expectCorrectCounts(sender);
    },
  };
  return incidents;
}
