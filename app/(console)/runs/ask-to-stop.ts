import { stopRun } from './actions'

/** Null = the run is being stopped; else what to tell the reader. */
export async function askToStop(runId: string): Promise<string | null> {
  try {
    const result = await stopRun({ runId })
    return result.ok ? null : result.error.message
  } catch {
    return 'The server cannot be reached. The run continues. Try again.'
  }
}
