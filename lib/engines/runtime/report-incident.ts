import type { RunDeps } from './deps'

/** Writes details to the server log and returns the incident id. A failure of the log never fails a run. */
export function reportIncident(deps: RunDeps, detail: unknown): string {
  const incidentId = deps.newId()
  try {
    deps.reportIncident(incidentId, detail)
  } catch {
    // There is no other place to report it.
  }
  return incidentId
}
