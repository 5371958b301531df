import { isCostAtMost } from './cost'
import type { RunState } from './fold-run'
import { formatCostMicroUsd } from './format'
import type { RoundView } from './round-view'
import type { FailedCall } from './run-event'
import type { Usage } from './usage'

/**
 * How far a cost can be relied on: `about` = tokens of a part were estimated, `at-most` = the provider may have charged less for
 * a part, because it read from its cache and the price of that is not known.
 */
export type CostBound = 'exact' | 'at-most' | 'about'

/** Of a cost or a sum of costs: an estimate in it may be too low as well as too high. */
export function costBound({
  estimated,
  atMost,
}: {
  estimated: boolean
  atMost: boolean
}): CostBound {
  if (estimated) return 'about'
  return atMost ? 'at-most' : 'exact'
}

type Counted = { target: number; usage: Usage }

/** Of what a run has cost so far, its failed and lost requests included. */
export function runCostBound({ start, rounds, usage, end }: RunState): CostBound {
  const counted = [...rounds.flatMap(countedIn), ...usedIn(end?.failedCall)]
  const atMost = counted.some(({ target, usage: used }) => {
    const prices = start?.snapshot.targets[target]?.prices
    return prices !== undefined && isCostAtMost(used, prices)
  })
  return costBound({ estimated: usage.estimated, atMost })
}

function countedIn({ response, notes }: RoundView): Counted[] {
  const failed = notes.flatMap((note) => {
    if (note.type === 'lost') return [note.data]
    return note.type === 'retry' || note.type === 'fallback' ? usedIn(note.data.failedCall) : []
  })
  return response ? [...failed, response] : failed
}

function usedIn(call: FailedCall | undefined): Counted[] {
  return call?.used ? [{ target: call.target, usage: call.used.usage }] : []
}

const boundWords: Record<CostBound, string> = { exact: '', 'at-most': 'at most ', about: 'about ' }

/** "at most " in front of a cost; empty = it is exact, nothing, or not known. */
export function boundWord(microUsd: number | null, bound: CostBound): string {
  return microUsd === null || microUsd === 0 ? '' : boundWords[bound]
}

/** "at most $0.0042", "about $0.0042", "$0.0042", "unpriced". */
export function boundedCost(microUsd: number | null, bound: CostBound): string {
  return boundWord(microUsd, bound) + formatCostMicroUsd(microUsd)
}
