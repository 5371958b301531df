import 'server-only'

/** A notice to watchers: the engine that wrote, and for each run the newest `seq` in its journal. */
type RunNotice = { writer: string; runs: readonly { runId: string; seq: number }[] }

/** PostgreSQL refuses notices of 8,000 bytes: a statement may write at most this many runs. */
export const mostRunsPerNotice = 150

/** Returns the payload of a notice. */
export function runNotice({ writer, runs }: RunNotice): string {
  return [writer, ...runs.map(({ runId, seq }) => `${runId}:${seq}`)].join(' ')
}

/** Returns the notice of a payload. */
export function parseRunNotice(payload: string): RunNotice {
  const [writer = '', ...places] = payload.split(' ')
  const runs = places.map((place) => {
    const [runId = '', seq = '0'] = place.split(':')
    return { runId, seq: Number(seq) }
  })
  return { writer, runs }
}
