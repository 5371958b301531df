/** A notice to the watchers of a run: the run, the newest seq in its journal, and the instance that wrote it. */
export type RunNotice = { runId: string; seq: number; writer: string }

/** A notice with an empty writer is from this process, and its events are in memory. */
export function runNotice({ runId, seq, writer }: RunNotice): string {
  return `${runId} ${seq} ${writer}`
}

export function parseRunNotice(payload: string): RunNotice {
  const [runId = '', seq = '0', writer = ''] = payload.split(' ')
  return { runId, seq: Number(seq), writer }
}
