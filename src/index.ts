/** Everything that a user of seatrial needs; what is not here is not promised. */

export { type Campaign, type CampaignResult, type FuzzOptions, fuzz, type Progress } from './campaign/campaign.js';
export { type CorpusPlan, loadCorpus, saveCounterexample } from './campaign/corpus.js';
export type { Counterexample, PlanFile } from './campaign/counterexample.js';
export {
  type Answer,
  always,
  type Case,
  eventually,
  type Finding,
  type Judgement,
  type Property,
  sometimes,
  type Verdict,
} from './properties/property.js';
export { failureText } from './report/failure.js';
export { campaignText } from './report/summary.js';
export { fc } from './scenarios/arbitraries.js';
export { type Act, type ScenarioDefinition, ScenarioError } from './scenarios/definition.js';
export { act, create, defineScenario, edit, remove, type Scenario, target } from './scenarios/scenario.js';
export type { ClusterState } from './sim/cluster-state.js';
export type { ControllerName } from './sim/controllers/controllers.js';
export { traceDigest } from './sim/digest.js';
export {
  deepCopy,
  deepEqual,
  type JsonValue,
  type KubeObject,
  type ManagedFieldsEntry,
  type ObjectMeta,
  type OwnerReference,
} from './sim/etcd/object.js';
export { calmPlan, type Fault, type ObjectTarget, type Plan, type PlannedOp } from './sim/plan.js';
export { PlanError, planText } from './sim/plan-file.js';
export {
  ApiError,
  ConnectionLost,
  ignoreAlreadyExists,
  ignoreNotFound,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNoMatchError,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceExpired,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnsupportedMediaType,
  NoKindMatchError,
  reasonForError,
} from './sim/runtime/api-errors.js';
export {
  type ControllerBuilder,
  newControllerManagedBy,
  type OwnsOptions,
  type ReconcileOptions,
  type WatchOptions,
} from './sim/runtime/builder.js';
export * from './sim/runtime/built-in-kinds.js';
export type { ObjectList, Reader } from './sim/runtime/cache-reader.js';
export type { Client, DeleteOptions, PatchOptions, SubResourceWriter, WriteOptions } from './sim/runtime/client.js';
export * from './sim/runtime/conditions.js';
export type { Clock, Context } from './sim/runtime/context.js';
export {
  addFinalizer,
  containsFinalizer,
  controllerOf,
  createOrPatch,
  createOrUpdate,
  hasControllerReference,
  hasOwnerReference,
  isControlledBy,
  type OperationResult,
  removeControllerReference,
  removeFinalizer,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
} from './sim/runtime/controllerutil.js';
export { semanticDeepEqual } from './sim/runtime/equality.js';
export {
  type EventHandler,
  enqueueRequestForObject,
  enqueueRequestForOwner,
  enqueueRequestsFromMapFunc,
} from './sim/runtime/event-handlers.js';
export type { EventRecorder } from './sim/runtime/event-recorder.js';
export { type EventChannel, newEventChannel } from './sim/runtime/event-source.js';
export { type ClientObject, defineKind, type Kind, type ObjectKey, objectKeyFromObject } from './sim/runtime/kind.js';
export type { LabelSelector, ListOptions } from './sim/runtime/list-options.js';
export type { Manager } from './sim/runtime/manager.js';
export type { ManagerOptions } from './sim/runtime/manager-options.js';
export { asReconciler } from './sim/runtime/object-reconciler.js';
export type { Operator } from './sim/runtime/operator.js';
export { mergeFrom, type Patch, rawPatch, strategicMergeFrom } from './sim/runtime/patch-builder.js';
export * from './sim/runtime/predicates.js';
export type { ClientGoProfile } from './sim/runtime/profile.js';
export * from './sim/runtime/rate-limiters.js';
export { type ReconcileFunction, type ReconcileRequest, type Reconciler, type Result, TerminalError } from './sim/runtime/reconciler.js';
export { type Backoff, defaultBackoff, defaultRetry, onError as retryOnError, retryOnConflict } from './sim/runtime/retry.js';
export type { Runnable } from './sim/runtime/runnable-group.js';
export {
  type AdmissionRequest,
  defaulter,
  reviewer,
  type Validation,
  type Validator,
  validator,
} from './sim/runtime/webhook/admission.js';
export { converter, type Spoke, spoke } from './sim/runtime/webhook/conversion.js';
export type { AdmissionResponse, Denial, DenialStatus, JsonPatchOperation } from './sim/runtime/webhook/response.js';
export { simulate } from './sim/simulate.js';
export type { Trace, TraceEntry, TraceEvent } from './sim/trace.js';
export type { Webhook } from './sim/webhook.js';
export type { UserAct, World } from './sim/world.js';
