/** What watchers of a run are told: which run, and the newest seq in its journal. */
export function runNotice(runId: string, seq: number): string {
  return `${runId} ${seq}`
}

export function parseRunNotice(payload: string): { runId: string; seq: number } {
  const [runId = '', seq = '0'] = payload.split(' ')
  return { runId, seq: Number(seq) }
}
