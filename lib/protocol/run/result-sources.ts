import type { Fork } from './fork'
import type { RunEventOf } from './run-event'

type Start = Pick<RunEventOf<'run-start'>['data'], 'fork' | 'check'>

/**
 * Returns where the results of tools come from in a run that goes on from another one, or that runs a check; null = all of its tools
 * are called. Tools without an entry give recorded results.
 */
export function resultSources(start: Start | null): Fork['sources'] | null {
  return start?.fork?.sources ?? start?.check?.sources ?? null
}
