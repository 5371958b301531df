import { createInterface } from 'node:readline'
import { db } from '@/lib/kernel/db'
import { configureLogSink } from '@/lib/kernel/log'
import { boot } from '@/lib/runs/engine/boot'
import { type Engine, runningEngine } from '@/lib/runs/engine/engine'
import { startEngine } from '@/lib/runs/engine/start-engine'
import { rightsChanges } from './rights-changes'
import { start } from './run-site'
import type { WorkerTask } from './start-worker'
import { quickTimes } from './test-engine'

/**
 * Runs a process that works on runs, for tests that kill it. Prints READY once it does. Each line of its input is a
 * change of rights that it makes, or prompts that it starts at once; it prints DONE after each.
 */
async function main(): Promise<void> {
  const lines = createInterface({ input: process.stdin })
  // The test has ended, perhaps because it was killed.
  lines.once('close', () => process.exit(1))
  const engine = await startAs(process.argv[2])
  lines.on('line', (line) => {
    const request: WorkerTask = JSON.parse(line)
    const work =
      'change' in request
        ? rightsChanges[request.change](request.site)
        : Promise.all(request.prompts.map((prompt) => start(request.site, prompt)))
    void work.then(() => console.log('DONE'))
  })
  console.log(`READY ${engine.instanceId}`)
}

/** Starts the engine as a whole server does, or alone, with times of production or those with which tests need not wait. */
async function startAs(times: string | undefined): Promise<Engine> {
  if (times === 'whole server') {
    await boot()
    const engine = runningEngine()
    if (engine) return engine
  }
  configureLogSink(db())
  const engine = await startEngine('server', times === 'production' ? {} : quickTimes)
  process.on('SIGTERM', () => void engine.close().then(() => process.exit(0)))
  return engine
}

void main()
