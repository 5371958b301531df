import type { Loops } from './loops'
import { type Cost, compare, type Loop } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

const toolRounds = 5
/** The closing answer is a request too. */
const requests = toolRounds + 1

/** What the loop costs beside a hand-written one, in memory and through the engine with its journal in PostgreSQL. */
export async function printOverhead(loops: Loops, engine: Loop): Promise<void> {
  const named: [string, Loop][] = [
    ['by hand, undici request (the floor)', loops.floor],
    ['by hand, global fetch', loops.fetch],
    ['by hand, openai SDK', loops.sdk],
    ['runAgent, journal in memory', loops.runAgent],
    ['engine, journal in PostgreSQL', engine],
  ]
  const plan = { prompt: pagesPrompt(toolRounds), times: 20, repetitions: 9 }
  const costs = await compare(
    named.map(([, loop]) => loop),
    plan,
  )
  const floor = costs[0]
  if (!floor) return
  console.log(`\nOne run of ${toolRounds} tool rounds with 8 KB results, one at a time\n`)
  printTable(
    ['loop', 'CPU ms', 'CPU ratio', 'wall ms', 'wall ratio', 'CPU µs a request over the floor'],
    costs.map((cost, index) => [named[index]?.[0] ?? '', ...figures(cost, floor)]),
  )
}

function figures(cost: Cost, floor: Cost): string[] {
  return [
    number(cost.cpuMs),
    ratio(cost.cpuMs, floor.cpuMs),
    number(cost.wallMs),
    ratio(cost.wallMs, floor.wallMs),
    String(Math.round(((cost.cpuMs - floor.cpuMs) / requests) * 1000)),
  ]
}
