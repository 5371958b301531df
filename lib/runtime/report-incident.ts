import type { RunDeps } from './deps'

/** Sends detail to the server log and gives back the id to look for. A log that fails never fails a run. */
export function reportIncident(deps: RunDeps, detail: unknown): string {
  const incidentId = deps.newId()
  try {
    deps.reportIncident(incidentId, detail)
  } catch {
    // Nothing is left to tell it to.
  }
  return incidentId
}
