import { ignoreNotFound } from '../../sim/runtime/api-errors.js';
import { newControllerManagedBy } from '../../sim/runtime/builder.js';
import { ConfigMap } from '../../sim/runtime/built-in-kinds.js';
import { setControllerReference } from '../../sim/runtime/controllerutil.js';
import { enqueueRequestForObject } from '../../sim/runtime/event-handlers.js';
import { type ClientObject, defineKind } from '../../sim/runtime/kind.js';
import type { Operator } from '../../sim/runtime/operator.js';
import { create, defineScenario, edit, target } from '../scenario.js';
import type { Mistake } from './mistake.js';
import { plainCrd, wish } from './plain-crd.js';

interface Order extends ClientObject {
  spec: { item: string };
}

const Order = defineKind<Order>('shop.example.com/v1', 'Order');

function invoiceOf(order: Order, name: { readonly name: string } | { readonly generateName: string }): ConfigMap {
  const invoice: ConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { ...name, namespace: order.metadata.namespace ?? '' },
    data: { item: order.spec.item },
  };
  setControllerReference(order, invoice);
  return invoice;
}

/** Remembers which orders have come in, and writes an invoice for each. */
const byEvent: Operator = {
  name: 'order-operator',
  setup(manager) {
    const { client } = manager;
    const arrived = new Set<string>();
    newControllerManagedBy(manager)
      .named('order')
      .watches(Order, {
        create(order, isInInitialList, context) {
          arrived.add(`${order.metadata.namespace}/${order.metadata.name}`);
          enqueueRequestForObject().create?.(order, isInInitialList, context);
        },
      })
      .complete(async (request) => {
        const key = `${request.namespace}/${request.name}`;
        if (!arrived.has(key)) return;
        const order = await client.get(Order, request);
        await client.create(invoiceOf(order, { generateName: `${request.name}-invoice-` }));
        arrived.delete(key);
      });
  },
};

/** Asks of each order whether its invoice is there. */
const byLevel: Operator = {
  name: 'order-operator',
  setup(manager) {
    const { client } = manager;
    newControllerManagedBy(manager)
      .for(Order)
      .owns(ConfigMap)
      .complete(async (request) => {
        const order = await client.get(Order, request).catch(ignoreNotFound);
        if (order === undefined || order.metadata.deletionTimestamp !== undefined) return;
        const name = `${request.name}-invoice`;
        const there = await client.get(ConfigMap, { namespace: request.namespace, name }).catch(ignoreNotFound);
        if (there === undefined) await client.create(invoiceOf(order, { name }));
      });
  },
};

function scenario(name: string, operator: Operator) {
  return defineScenario({
    name,
    crds: [plainCrd(Order)],
    operators: [operator],
    workload: [
      create(wish(Order, 'first', { item: 'tea' })),
      edit(target(Order, 'default/first'), (order) => {
        order.metadata.labels = { seen: 'yes' };
      }),
    ],
  });
}

/** A process that starts is told of everything that is there as if it were new. */
export const addedMeansNew: Mistake = {
  id: 'P22',
  title: 'an ADDED event taken as "this object is new"',
  property: 'idempotent',
  broken: scenario('p22-added-means-new', byEvent),
  fixed: scenario('p22-added-means-new-fixed', byLevel),
};
