import 'server-only'
import { DBOS } from '@dbos-inc/dbos-sdk'
import { advanceRun } from '../advance-run'

/**
 * The durable workflow of a run: one recorded step that advances until the run ends. Only the journal says what comes
 * next, so a step that is repeated after a crash continues after the last event; recording each advance would repeat
 * that at several statements each.
 */
async function workOnRun(runId: string): Promise<void> {
  await DBOS.runStep(() => workAlone(runId), { name: 'advance-to-end' })
}

/** At most one loop per run in a process: two would share the state in memory, and each would start its calls. */
async function workAlone(runId: string): Promise<void> {
  if (!workedOn.has(runId)) {
    workedOn.add(runId)
    const advanced = await advanceToEnd(runId).finally(() => workedOn.delete(runId))
    if (advanced === 'ended') return
  }
  // Another process owns the run or will, or another loop works on it here. A result would be recorded and replayed.
  await new Promise<never>(() => undefined)
}

async function advanceToEnd(runId: string): Promise<'ended' | 'released'> {
  for (;;) {
    const advanced = await advanceRun(runId)
    if (advanced !== 'again') return advanced
  }
}

const workedOn = new Set<string>()

/** Returns true while a workflow of this process works on the run. */
export function isWorkedOn(runId: string): boolean {
  return workedOn.has(runId)
}

let registered: typeof workOnRun | undefined

/** Registers the workflow once per process; must happen before `DBOS.launch()`. */
export function registerRunWorkflow(): void {
  registered ??= DBOS.registerWorkflow(workOnRun, { name: 'workOnRun' })
}

/** Starts the workflow of a run that was just created here. */
export async function startRunWorkflow(runId: string): Promise<void> {
  if (!registered) throw new Error('registerRunWorkflow() comes first.')
  await DBOS.startWorkflow(registered, { workflowID: runId })(runId)
}

/** Continues a run that another process left, wherever it stopped. */
export async function resumeRunWorkflow(runId: string): Promise<void> {
  const known = await DBOS.getWorkflowStatus(runId)
  if (known) await DBOS.resumeWorkflow(runId)
  else await startRunWorkflow(runId)
}
