import { deepEqual, type KubeObject } from '../../etcd/object.js';
import { forbiddenValue, invalidValue } from '../field-errors.js';
import { qosClassOf } from '../pod-defaults.js';
import { type Faults, type Fields, listOf } from './checks.js';

type Amounts = Readonly<Record<string, string>>;

const lists = ['initContainers', 'containers'] as const;

/** What is wrong with other amounts for the containers of a running pod, which is else as it was (UP-22). */
export function checkResize(faults: Faults, pod: KubeObject, stored: KubeObject): void {
  const spec: Fields = pod.spec ?? {};
  const before: Fields = stored.spec ?? {};
  // The server shows the class of the status, which has not changed.
  if (qosClassOf(spec) !== (stored.status?.qosClass ?? qosClassOf(before))) {
    faults.push(invalidValue('spec', pod.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing'));
  }
  const running = listOf(stored.status?.containerStatuses).find(({ state }) => state?.running !== undefined);
  if (running !== undefined && running.resources === undefined) {
    faults.push(forbiddenValue('spec', 'Pod running on node without support for resize'));
  }
  if (!checkOrder(faults, spec, before)) return;
  for (const list of lists) {
    for (const [index, old] of listOf(before[list]).entries()) {
      if (list === 'initContainers' && old.restartPolicy !== 'Always') continue;
      checkRemoved(faults, `spec.${list}[${index}].resources`, listOf(spec[list])[index]?.resources, old.resources);
    }
  }
  for (const [index, old] of listOf(before.containers).entries()) {
    if (!deepEqual(withOldAmounts(listOf(spec.containers)[index] as Fields, old), withOldAmounts(old, old))) {
      faults.push(forbiddenValue('spec', 'only cpu and memory resources are mutable'));
    }
  }
  for (const [index, old] of listOf(before.initContainers).entries()) {
    const container = listOf(spec.initContainers)[index] as Fields;
    if (old.restartPolicy !== 'Always') {
      if (!deepEqual(container, old)) faults.push(forbiddenValue('spec', 'resources for non-sidecar init containers are immutable'));
    } else if (!deepEqual(withOldAmounts(container, old), withOldAmounts(old, old))) {
      const text = 'only cpu and memory resources for init or sidecar containers are mutable';
      faults.push(forbiddenValue(`spec.initContainers[${index}]`, text));
    }
  }
}

/** @returns whether the containers can be compared one by one. */
function checkOrder(faults: Faults, spec: Fields, before: Fields): boolean {
  const known = faults.length;
  for (const list of ['containers', 'initContainers'] as const) {
    const [next, old] = [listOf(spec[list]), listOf(before[list])];
    if (next.length !== old.length) {
      faults.push(forbiddenValue(`spec.${list}`, `${list} may not be added or removed on resize`));
      continue;
    }
    for (const [index, { name }] of old.entries()) {
      if (next[index]?.name === name) continue;
      faults.push(forbiddenValue(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`));
    }
  }
  return faults.length === known;
}

function checkRemoved(faults: Faults, field: string, next: Fields | undefined, before: Fields | undefined): void {
  for (const kind of ['requests', 'limits']) {
    const amounts: Amounts = next?.[kind] ?? {};
    if (Object.keys((before?.[kind] ?? {}) as Amounts).every((name) => amounts[name] !== undefined)) continue;
    faults.push(forbiddenValue(`${field}.${kind}`, `resource ${kind} cannot be removed`));
  }
}

/** A container with what it had of processors and memory. */
function withOldAmounts(container: Fields, old: Fields): Fields {
  const amounts = (kind: string): Amounts => {
    const { cpu: _, memory: __, ...rest } = (container.resources?.[kind] ?? {}) as Amounts;
    const { cpu, memory } = (old.resources?.[kind] ?? {}) as Amounts;
    return { ...rest, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) } as Amounts;
  };
  return { ...container, resources: { limits: amounts('limits'), requests: amounts('requests') } };
}
