import type { Loops } from './loops'
import { compare, type Loop } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

/** What a run costs when many are worked on at once. */
export async function printAtOnce(loops: Loops, engine: Loop): Promise<void> {
  const rows: string[][] = []
  for (const atOnce of [1, 16, 128]) {
    const times = Math.max(16, atOnce)
    const plan = { prompt: pagesPrompt(5), times, atOnce, repetitions: 3 }
    const [floor, memory, durable] = await compare([loops.floor, loops.runAgent, engine], plan)
    if (!floor || !memory || !durable) continue
    rows.push([
      String(atOnce),
      number(floor.cpuMs),
      number(memory.cpuMs),
      ratio(memory.cpuMs, floor.cpuMs),
      number(durable.cpuMs),
      ratio(durable.cpuMs, floor.cpuMs),
      number(floor.wallMs),
      number(memory.wallMs),
      number(durable.wallMs),
    ])
  }
  console.log('\nRuns of 5 tool rounds at once: CPU and wall ms a run\n')
  printTable(
    [
      'at once',
      'floor CPU',
      'runAgent CPU',
      'ratio',
      'engine CPU',
      'ratio',
      'floor wall',
      'runAgent wall',
      'engine wall',
    ],
    rows,
  )
}
