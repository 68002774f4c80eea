import { startKubelet } from '../../../src/sim/controllers/kubelet/kubelet.js';
import { defaultNode } from '../../../src/sim/controllers/kubelet/node-status.js';
import { startNodeLifecycle } from '../../../src/sim/controllers/node-lifecycle.js';
import { startScheduler } from '../../../src/sim/controllers/scheduler/scheduler.js';
import { startVolumeBinder } from '../../../src/sim/controllers/volumes/volumes.js';
import type { KubeObject } from '../../../src/sim/etcd/object.js';
import type { Fault } from '../../../src/sim/plan.js';
import { PlannedFates } from '../../../src/sim/planned-fates.js';
import { type Start, WorkloadCluster } from './workload-cluster.js';

/** A cluster in which pods run on one node, and in which pods and claims have the trouble that the faults say. */
export class TroubledCluster extends WorkloadCluster {
  readonly fates: PlannedFates;
  /** The faults that have begun to show. */
  readonly come: readonly Fault[];

  constructor(faults: readonly Fault[] = [], ...others: readonly Start[]) {
    const come: Fault[] = [];
    const fates = new PlannedFates(faults, (fault) => come.push(fault));
    super(
      ...others,
      (host, feed) => startVolumeBinder({ ...host, process: 'binder' }, feed, fates),
      (host, feed) => startNodeLifecycle({ ...host, process: 'node-lifecycle' }, feed, fates),
      (host, feed) => startScheduler({ ...host, process: 'scheduler' }, feed, fates),
      (host, feed) => startKubelet({ ...host, process: 'kubelet' }, feed, fates),
    );
    this.fates = fates;
    this.come = come;
    this.addNode(defaultNode(this.clockwork.nowMs));
  }

  /** All versions that an object in the namespace has had, in order. */
  versions(resource: string, name: string): readonly KubeObject[] {
    return this.etcd
      .since(1)
      .filter(({ key }) => key.resource === resource && key.name === name)
      .flatMap(({ object }) => object ?? []);
  }
}
