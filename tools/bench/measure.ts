import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pLimit from 'p-limit'
import { lastWords } from './prompts'

/** Cost of one run: CPU of this whole process, and time on the clock, both in milliseconds. */
export type Cost = { cpuMs: number; wallMs: number }

/** Runs one prompt to its end and resolves with the last answer. */
export type Loop = (prompt: string) => Promise<string>

setFlagsFromString('--expose-gc')
const collect: (options?: { type: 'minor' }) => void = runInNewContext('gc')

/**
 * Collects all garbage, to measure what stays in memory. Never call it before measuring time, because V8 drops compiled
 * code, too.
 */
export function collectGarbage(): void {
  collect()
}

/** Returns the cost per run of `times` runs, `atOnce` of them at a time. */
async function measure(loop: Loop, prompt: string, times: number, atOnce = 1): Promise<Cost> {
  // Otherwise the next loop would have to collect the garbage of this one.
  collect({ type: 'minor' })
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await pLimit(atOnce).map(Array(times), async () => requireLastWords(await loop(prompt)))
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(cpu)
  return { cpuMs: (user + system) / 1000 / times, wallMs: wallMs / times }
}

/** Throws unless the loop gave its last answer, because a loop that fails early would be the fastest of all. */
export function requireLastWords(answer: string): void {
  if (answer !== lastWords) throw new Error(`A run ended with: ${answer}`)
}

/** A loop and how many runs of it make one measurement. */
export type Contestant = { loop: Loop; times: number }

type Plan = { prompt: string; repetitions: number; atOnce?: number }

/**
 * Returns the medians of each loop over the repetitions, in the order of the contestants. The loops take turns, so that
 * other work on the machine affects all of them. The first turn only warms up.
 */
export async function compare(contestants: readonly Contestant[], plan: Plan): Promise<Cost[]> {
  const costs: Cost[][] = contestants.map(() => [])
  for (let repetition = 0; repetition <= plan.repetitions; repetition++) {
    for (const [index, { loop, times }] of contestants.entries()) {
      const cost = await measure(loop, plan.prompt, times, plan.atOnce)
      if (repetition > 0) costs[index]?.push(cost)
    }
  }
  return costs.map((list) => ({
    cpuMs: median(list.map((cost) => cost.cpuMs)),
    wallMs: median(list.map((cost) => cost.wallMs)),
  }))
}

/**
 * Makes `times` runs, so that code is compiled and connections are open when the measurement begins, and returns what
 * each of them cost.
 */
export async function warmUp(loop: Loop, prompt: string, times: number): Promise<Cost> {
  return measure(loop, prompt, times, 4)
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Returns the value that is not exceeded by `share` of the values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
