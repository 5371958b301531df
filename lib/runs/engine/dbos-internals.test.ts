import { readFileSync } from 'node:fs'
import path from 'node:path'
import { DBOSExecutor } from '@dbos-inc/dbos-sdk/internal/dbos-executor'
import { SystemDatabase } from '@dbos-inc/dbos-sdk/internal/system_database'
import { wfQueueRunner } from '@dbos-inc/dbos-sdk/internal/wfqueue'
import { workflowTimeoutConfig } from '@dbos-inc/dbos-sdk/internal/workflow_management'
import { expect, test } from 'vitest'
import {
  internalQueue,
  queueOf,
  setInternalPollInterval,
  setPollInterval,
  takesEntries,
  workflowIdOf,
} from './dbos-internals'

const folder = path.resolve('node_modules/@dbos-inc/dbos-sdk')
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')

/** The version whose internals `dbos-internals.ts` was written for. */
const knownVersion = '5.3.0'

test('DBOS has the version whose internals are known', () => {
  const { version } = JSON.parse(read('package.json'))
  const advice = 'DBOS changed: compare lib/runs/engine/dbos-internals.ts with its sources.'
  expect(version, advice).toBe(knownVersion)
})

test('DBOS looks for work every second until another interval is set', () => {
  const intervals = (ms: number) => ({ reconcileIntervalMs: ms, transitionIntervalMs: ms })
  expect({ ...wfQueueRunner.constructor }).toMatchObject(intervals(1_000))
  expect(workflowTimeoutConfig.pollingIntervalMs).toBe(1_000)
  setPollInterval(12_000)
  expect({ ...wfQueueRunner.constructor }).toMatchObject(intervals(12_000))
  expect(workflowTimeoutConfig.pollingIntervalMs).toBe(12_000)
})

test('DBOS has a queue of its own under the known name once it is launched, and gives no entries before', () => {
  expect(takesEntries()).toBe(false)
  expect(wfQueueRunner.getInternalQueue(internalQueue)).toBeUndefined()
  expect(() => setInternalPollInterval(12_000)).not.toThrow()
  expect(read('dist/src/dbos-executor.js') + read('dist/src/utils.js')).toContain(
    `'${internalQueue}'`,
  )
})

test('a queue takes as many entries at once as it is made for, and no limit of its own stops it', () => {
  const queue = queueOf('ready', 3)
  expect(queue).toMatchObject({ name: 'ready', workerConcurrency: 3, minPollingIntervalMs: 1_000 })
  expect(queue.concurrency).toBeUndefined()
  expect(queue.rateLimit).toBeUndefined()
})

test('entries are taken and begun by functions with the known parameters', () => {
  const { findAndMarkStartableWorkflows } = SystemDatabase.prototype
  expect(parametersOf(findAndMarkStartableWorkflows)).toEqual([
    'queue',
    'executorID',
    'appVersion',
    'queuePartitionKey',
    'localRunningCount',
    'partitionLocalRunningCount',
    'ownerXid',
  ])
  const { dispatchDequeuedWorkflows } = DBOSExecutor.prototype
  expect(parametersOf(dispatchDequeuedWorkflows)).toEqual(['workflowIDs', 'ownerXid'])
})

test('DBOS names the workflow of a time after its schedule and the time', () => {
  const at = new Date('2026-01-02T03:04:05.000Z')
  expect(workflowIdOf('schedule-1', at)).toBe('sched-schedule-1-2026-01-02T03:04:05.000Z')
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands in the source like this
  const naming = '`sched-${scheduleName}-${date.toISOString()}`'
  expect(read('dist/src/scheduler/scheduler.js')).toContain(naming)
})

/** Returns the names of the parameters of a function, from its source. */
function parametersOf(work: (...values: never[]) => unknown): string[] {
  const source = String(work).replaceAll(/\/\/.*$/gm, '')
  const list = source.slice(source.indexOf('(') + 1, source.indexOf(')'))
  return list.split(',').map((part) => part.split('=')[0]?.trim() ?? '')
}
