import { noteGoal } from './goals'
import type { Loops } from './loops'
import { type Cost, compare, type Loop, warmUp } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

const toolRounds = 5
/** The last answer also takes a request. */
const requests = toolRounds + 1
/** V8 compiles hot code again and again; after so many runs, nothing becomes faster any more. */
const runsUntilWarm = 1_000
const firstRuns = 100

/**
 * Prints what the loop costs beside hand-written ones, in memory and through the engine with its journal in PostgreSQL.
 */
export async function printOverhead(loops: Loops): Promise<void> {
  const prompt = pagesPrompt(toolRounds)
  const contestants: [name: string, loop: Loop, times: number][] = [
    ['hand-written, undici `request`: the floor', loops.floor, 30],
    ['hand-written, global `fetch`', loops.fetch, 30],
    ['hand-written, `openai` package', loops.sdk, 30],
    ['`runAgent`, journal in memory', loops.runAgent, 30],
    ['engine, journal in PostgreSQL', loops.engine, 8],
    ...loops.peers.map(([name, loop]): [string, Loop, number] => [name, loop, 30]),
  ]
  const first: Cost[] = []
  for (const [, loop] of contestants) {
    first.push(await warmUp(loop, prompt, firstRuns))
    await warmUp(loop, prompt, runsUntilWarm - firstRuns)
  }
  const costs = await compare(
    contestants.map(([, loop, times]) => ({ loop, times })),
    { prompt, repetitions: 7 },
  )
  const [floor, fetch, , memory, durable] = costs
  if (!floor || !fetch || !memory || !durable) return
  noteGoal('`runAgent`, 5 rounds', memory.cpuMs / fetch.cpuMs, 0.6)
  noteGoal('engine, 5 rounds', durable.cpuMs / fetch.cpuMs, 1)
  console.log(`\nOne run of ${toolRounds} tool rounds with 8 KB results, one run at a time\n`)
  printTable(
    [
      'loop',
      'CPU ms',
      'vs floor',
      'vs `fetch`',
      'wall ms',
      'vs floor',
      'extra CPU µs per request',
      `CPU ms, first ${firstRuns} runs`,
    ],
    costs.map((cost, index) => [
      contestants[index]?.[0] ?? '',
      ...figures(cost, floor, fetch),
      number(first[index]?.cpuMs ?? Number.NaN),
    ]),
  )
}

function figures(cost: Cost, floor: Cost, fetch: Cost): string[] {
  return [
    number(cost.cpuMs),
    ratio(cost.cpuMs, floor.cpuMs),
    ratio(cost.cpuMs, fetch.cpuMs),
    number(cost.wallMs),
    ratio(cost.wallMs, floor.wallMs),
    String(Math.round(((cost.cpuMs - floor.cpuMs) / requests) * 1000)),
  ]
}
