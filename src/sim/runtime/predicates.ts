import { matchesLabels } from '../apiserver/label-selector.js';
import { deepEqual, type KubeObject } from '../etcd/object.js';
import { type LabelSelector, requirementsOf } from './list-options.js';

/** Decides which events reach an event handler. A part that is left out lets everything pass, as in controller-runtime's Funcs. */
export interface Predicate {
  create?(object: KubeObject): boolean;
  update?(old: KubeObject, new_: KubeObject): boolean;
  delete?(object: KubeObject): boolean;
  generic?(object: KubeObject): boolean;
}

/** Updates pass when metadata.generation differs: no change of labels, annotations or finalizers does (D15, D16). */
export function generationChanged(): Predicate {
  return { update: (old, new_) => old.metadata.generation !== new_.metadata.generation };
}

/** Updates pass when the resourceVersion differs: a resync does not (D15). */
export function resourceVersionChanged(): Predicate {
  return { update: (old, new_) => old.metadata.resourceVersion !== new_.metadata.resourceVersion };
}

/** D15 */
export function labelChanged(): Predicate {
  return { update: (old, new_) => !deepEqual(old.metadata.labels ?? {}, new_.metadata.labels ?? {}) };
}

/** D15 */
export function annotationChanged(): Predicate {
  return { update: (old, new_) => !deepEqual(old.metadata.annotations ?? {}, new_.metadata.annotations ?? {}) };
}

/** Filters every kind of event; of an update the new object counts, so "no longer matches" is invisible (D15). */
export function newPredicateFuncs(filter: (object: KubeObject) => boolean): Predicate {
  return { create: filter, update: (_old, new_) => filter(new_), delete: filter, generic: filter };
}

/** @param selector `app=web,!old`, or labels that must all be there with these values (D15). @throws SelectorError */
export function labelSelectorPredicate(selector: LabelSelector): Predicate {
  const requirements = requirementsOf(selector);
  return newPredicateFuncs(({ metadata }) => matchesLabels(requirements, metadata.labels));
}

/** Verb by verb (D15). */
export function and(...predicates: readonly Predicate[]): Predicate {
  return combine((ask) => predicates.every(ask));
}

/** Verb by verb: `or(generationChanged(), labelChanged())` still lets every create and delete pass (D15). */
export function or(...predicates: readonly Predicate[]): Predicate {
  return combine((ask) => predicates.some(ask));
}

/** Verb by verb: `not(generationChanged())` drops every create, delete and generic event (D15). */
export function not(predicate: Predicate): Predicate {
  return combine((ask) => !ask(predicate));
}

function combine(all: (ask: (predicate: Predicate) => boolean) => boolean): Predicate {
  return {
    create: (object) => all((predicate) => predicate.create?.(object) ?? true),
    update: (old, new_) => all((predicate) => predicate.update?.(old, new_) ?? true),
    delete: (object) => all((predicate) => predicate.delete?.(object) ?? true),
    generic: (object) => all((predicate) => predicate.generic?.(object) ?? true),
  };
}
