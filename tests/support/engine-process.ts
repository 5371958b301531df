import { db } from '@/lib/db'
import { configureLogSink } from '@/lib/log'
import { startEngine } from '@/lib/runs/engine'

/** A process that works on runs and nothing else, for tests that kill it. Says READY once it does. */
async function main(): Promise<void> {
  configureLogSink(db())
  const engine = await startEngine('server')
  process.on('SIGTERM', () => void engine.drain().then(() => process.exit(0)))
  console.log('READY')
}

void main()
