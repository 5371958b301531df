import type { Loops } from './loops'
import { compare } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

/** Prints what one run costs when many are worked on at once. */
export async function printAtOnce(loops: Loops): Promise<void> {
  const rows: string[][] = []
  for (const atOnce of [1, 16, 128]) {
    const times = Math.max(32, atOnce)
    const contestants = [
      { loop: loops.floor, times },
      { loop: loops.runAgent, times },
      { loop: loops.engine, times: Math.max(8, atOnce) },
    ]
    const plan = { prompt: pagesPrompt(5), atOnce, repetitions: atOnce < 100 ? 3 : 1 }
    const [floor, memory, durable] = await compare(contestants, plan)
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
  console.log('\nParallel runs of 5 tool rounds: CPU ms and wall ms per run\n')
  printTable(
    [
      'parallel runs',
      'floor CPU',
      '`runAgent` CPU',
      'vs floor',
      'engine CPU',
      'vs floor',
      'floor wall',
      '`runAgent` wall',
      'engine wall',
    ],
    rows,
  )
}
