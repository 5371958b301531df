import { DBOS } from '@dbos-inc/dbos-sdk'
import { startEngine } from '@/lib/runs/engine/start-engine'

/** Opens the durable engine in this process. `close` leaves no connection open. */
export async function openEngine(): Promise<{ close: () => Promise<void> }> {
  const engine = await startEngine('server')
  return {
    close: async () => {
      await engine.close()
      await DBOS.shutdown()
    },
  }
}
