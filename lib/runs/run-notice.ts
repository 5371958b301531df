/** What watchers of a run are told: which run, the newest seq in its journal, and who wrote it. */
export type RunNotice = { runId: string; seq: number; writer: string }

/** A notice without writer is from this process: what it tells of can be had without the database. */
export function runNotice({ runId, seq, writer }: RunNotice): string {
  return `${runId} ${seq} ${writer}`
}

export function parseRunNotice(payload: string): RunNotice {
  const [runId = '', seq = '0', writer = ''] = payload.split(' ')
  return { runId, seq: Number(seq), writer }
}
