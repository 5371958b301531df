import 'server-only'
import { DBOS } from '@dbos-inc/dbos-sdk'
import type { Database } from '@/lib/kernel/db'
import { readyQueue, startWorkflow } from '../places'
import { takeEntries, takesEntries } from './dbos-internals'

/** The queue of the runs that must wait: each is an entry with its id. */
export type RunQueue = {
  /** False until entries can be taken. */
  isOpen: () => boolean
  /** Lets servers take the entries of these runs, which have their places. */
  ready: (runIds: string[]) => Promise<void>
  /** Makes entries ready again of runs that no server took, whatever became of their entries. */
  mend: (runIds: string[]) => Promise<void>
  /** Takes at most as many entries that are ready, first in line first, and begins their runs in this process. */
  take: (most: number) => Promise<void>
  /** Removes the entries of runs that do not wait any more. */
  remove: (runIds: string[]) => Promise<void>
}

/** Returns the queue in DBOS, which keeps the entries and their order, and gives each to one server. */
export function dbosQueue(version: string): RunQueue {
  const ready = async (runIds: string[]): Promise<void> => {
    if (runIds.length > 0) await DBOS.resumeWorkflows(runIds, { queueName: readyQueue })
  }
  const remove = async (runIds: string[]): Promise<void> => {
    if (runIds.length > 0) await DBOS.deleteWorkflows(runIds)
  }
  return {
    isOpen: () => DBOS.isInitialized() && takesEntries(),
    ready,
    remove,
    mend: async (runIds) => {
      if (runIds.length === 0) return
      const entries = await DBOS.listWorkflows({ workflowIDs: runIds, loadInput: false })
      const open = entries.filter(({ status }) => status === 'ENQUEUED' || status === 'PENDING')
      await ready(open.map(({ workflowID }) => workflowID))
      const known = new Set(open.map(({ workflowID }) => workflowID))
      const lost = runIds.filter((runId) => !known.has(runId))
      await remove(lost)
      for (const workflowID of lost) {
        const entry = { workflowName: startWorkflow, queueName: readyQueue, workflowID }
        await DBOS.enqueueWorkflowWithOptions(entry, workflowID)
      }
    },
    take: (most) => takeEntries(readyQueue, most, version),
  }
}

/** Removes entries whose run does not wait any more: it was deleted, or the process that began it died. */
export async function removeOldEntries({ client }: Database): Promise<void> {
  const entries = await DBOS.listWorkflows({ workflowName: startWorkflow, loadInput: false })
  const ids = entries.map(({ workflowID }) => workflowID)
  const runs = await client.run.findMany({
    where: { id: { in: ids }, waitsFor: { not: null } },
    select: { id: true },
  })
  const waiting = new Set(runs.map(({ id }) => id))
  await DBOS.deleteWorkflows(ids.filter((id) => !waiting.has(id)))
}
