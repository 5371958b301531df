import { DBOS } from '@dbos-inc/dbos-sdk'
import { startEngine } from '@/lib/runs/engine/engine'
import { closeWake } from '@/lib/runs/journal/wake'

/** The durable engine in this process; `close` leaves no connection behind. */
export async function openEngine(): Promise<{ close: () => Promise<void> }> {
  const engine = await startEngine('server')
  return {
    close: async () => {
      await engine.drain()
      await DBOS.shutdown()
      await closeWake()
    },
  }
}
