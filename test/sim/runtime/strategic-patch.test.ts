import { expect, test } from 'vitest';
import { patchFieldsOf, patchRoot } from '../../../src/sim/apiserver/openapi/patch-fields.js';
import { applyStrategicMergePatch } from '../../../src/sim/apiserver/strategic-merge-patch.js';
import { deepCopy, type JsonValue, type KubeObject } from '../../../src/sim/etcd/object.js';
import { strategicMergeFrom } from '../../../src/sim/runtime/patch-builder.js';

function deployment(): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'ns', name: 'd', resourceVersion: '3', finalizers: ['x/one', 'x/two'] },
    spec: {
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
      template: {
        spec: {
          containers: [
            { name: 'c', image: 'i:1', args: ['a', 'b'] },
            { name: 's', image: 's:1' },
          ],
          volumes: [{ name: 'v', emptyDir: {} }],
        },
      },
    },
  };
}

function patchOf(change: (object: KubeObject) => void): Record<string, unknown> {
  const before = deployment();
  const after = deepCopy(before);
  change(after);
  const patch = strategicMergeFrom(before).data(after) as Record<string, unknown>;
  // Whatever the patch looks like: the server must make of the old object the new one.
  const type = patchRoot('apps/v1', 'Deployment');
  type Fields = Record<string, JsonValue>;
  expect(applyStrategicMergePatch(before as unknown as Fields, patch as Fields, type, patchFieldsOf)).toEqual(after);
  return patch;
}

test('an element of a list with a merge key is patched alone, and the order of all is told', () => {
  expect(
    patchOf(({ spec }) => {
      spec.template.spec.containers[0].image = 'i:2';
    }),
  ).toEqual({
    spec: {
      template: { spec: { '$setElementOrder/containers': [{ name: 'c' }, { name: 's' }], containers: [{ name: 'c', image: 'i:2' }] } },
    },
  });
});

test('elements come, go and change places', () => {
  const patch = patchOf(({ spec }) => {
    spec.template.spec.containers = [
      { name: 's', image: 's:1' },
      { name: 'n', image: 'n:1' },
    ];
  });
  expect(patch.spec).toEqual({
    template: {
      spec: {
        '$setElementOrder/containers': [{ name: 's' }, { name: 'n' }],
        containers: [
          { name: 'n', image: 'n:1' },
          { name: 'c', $patch: 'delete' },
        ],
      },
    },
  });
});

test('a union names the fields that it keeps', () => {
  const strategy = patchOf(({ spec }) => {
    spec.strategy = { type: 'Recreate' };
  });
  expect(strategy).toEqual({ spec: { strategy: { type: 'Recreate', rollingUpdate: null, $retainKeys: ['type'] } } });
  const volume = patchOf(({ spec }) => {
    spec.template.spec.volumes[0] = { name: 'v', secret: { secretName: 's' } };
  });
  expect(volume.spec).toMatchObject({
    template: { spec: { volumes: [{ name: 'v', emptyDir: null, secret: { secretName: 's' }, $retainKeys: ['name', 'secret'] }] } },
  });
});

test('lists of values are merged value by value; lists without a merge key are sent whole', () => {
  const finalizers = patchOf(({ metadata }) => {
    metadata.finalizers = ['x/two', 'x/three'];
  });
  expect(finalizers).toEqual({
    metadata: {
      '$deleteFromPrimitiveList/finalizers': ['x/one'],
      '$setElementOrder/finalizers': ['x/two', 'x/three'],
      finalizers: ['x/three'],
    },
  });
  const args = patchOf(({ spec }) => {
    spec.template.spec.containers[0].args = ['b'];
  });
  expect(args.spec).toMatchObject({ template: { spec: { containers: [{ name: 'c', args: ['b'] }] } } });
});

test('a custom kind is patched as by a merge patch', () => {
  const before: KubeObject = {
    apiVersion: 'x.example.com/v1',
    kind: 'X',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'c' }], size: 1 },
  };
  const after = { ...before, spec: { containers: [{ name: 'd' }] } };
  expect(strategicMergeFrom(before).data(after)).toEqual({ spec: { containers: [{ name: 'd' }], size: null } });
});
