import { randomUUID } from 'node:crypto'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import { WorkflowQueue, wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue'
import { workflowTimeoutConfig } from '@dbos-inc/dbos-sdk/internal/workflow_management'

// All that Toolgate uses of DBOS beside its public API. The test beside this file fails for another version of DBOS.

/** Returns whether entries of queues can be taken. */
export function takesEntries(): boolean {
  return DBOSExecutor.globalInstance !== undefined
}

/** Takes at most as many entries of a queue that are ready, first in line first, and begins their workflows in this process. */
export async function takeEntries(queueName: string, most: number, version: string): Promise<void> {
  const executor = DBOSExecutor.globalInstance
  if (!executor) return
  const owner = randomUUID()
  const taken = await executor.systemDatabase.findAndMarkStartableWorkflows(
    queueOf(queueName, most),
    executor.executorID,
    version,
    undefined,
    0,
    0,
    owner,
  )
  await executor.dispatchDequeuedWorkflows(taken, owner)
}

/** Returns a queue of which at most so many entries are taken at once. */
export function queueOf(name: string, most: number): WorkflowQueue {
  return new WorkflowQueue(
    {
      name,
      concurrency: null,
      workerConcurrency: most,
      pollingIntervalSec: 1,
      rateLimitMax: null,
      rateLimitPeriodSec: null,
      partitionQueue: false,
      partitionConcurrency: null,
      partitionWorkerConcurrency: null,
      partitionRateLimitMax: null,
      partitionRateLimitPeriodSec: null,
    },
    false,
  )
}

/** Sets how often DBOS looks for work that it begins itself. Its own interval is a second. Call it before the launch. */
export function setPollInterval(intervalMs: number): void {
  const intervals = { reconcileIntervalMs: intervalMs, transitionIntervalMs: intervalMs }
  Object.assign(wfQueueRunner.constructor, intervals)
  workflowTimeoutConfig.pollingIntervalMs = intervalMs
}

export const internalQueue = '_dbos_internal_queue'

/** Sets how often DBOS looks into its own queue, which exists once it is launched. */
export function setInternalPollInterval(intervalMs: number): void {
  const queue = wfQueueRunner.getInternalQueue(internalQueue)
  if (queue) queue.minPollingIntervalMs = intervalMs
}

/** Returns the id that DBOS gives to the workflow of a time of a schedule, so that several servers start it once. */
export function workflowIdOf(scheduleName: string, at: Date): string {
  return `sched-${scheduleName}-${at.toISOString()}`
}
