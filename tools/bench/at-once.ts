import { noteGoal } from './goals'
import type { Loops } from './loops'
import { compare } from './measure'
import { peerFigures, peerTitles } from './open-peers'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

/** Prints what one run costs when many are worked on at once. */
export async function printAtOnce(loops: Loops): Promise<void> {
  const rows: string[][] = []
  for (const atOnce of [1, 16, 128]) {
    const times = Math.max(32, atOnce)
    const contestants = [
      { loop: loops.floor, times },
      { loop: loops.fetch, times },
      { loop: loops.runAgent, times },
      { loop: loops.engine, times: Math.max(8, atOnce) },
      ...loops.peers.map(([, loop]) => ({ loop, times })),
    ]
    const plan = { prompt: pagesPrompt(5), atOnce, repetitions: atOnce < 100 ? 3 : 1 }
    const [floor, fetch, memory, durable, ...peers] = await compare(contestants, plan)
    if (!floor || !fetch || !memory || !durable) continue
    if (atOnce > 1) noteGoal(`engine, ${atOnce} at once`, durable.cpuMs / fetch.cpuMs, 0.5)
    rows.push([
      String(atOnce),
      number(floor.cpuMs),
      number(fetch.cpuMs),
      number(memory.cpuMs),
      ratio(memory.cpuMs, fetch.cpuMs),
      number(durable.cpuMs),
      ratio(durable.cpuMs, fetch.cpuMs),
      number(floor.wallMs),
      number(memory.wallMs),
      number(durable.wallMs),
      ...peerFigures(peers, fetch),
    ])
  }
  console.log('\nParallel runs of 5 tool rounds: CPU ms and wall ms per run\n')
  printTable(
    [
      'parallel runs',
      'floor CPU',
      '`fetch` CPU',
      '`runAgent` CPU',
      'vs `fetch`',
      'engine CPU',
      'vs `fetch`',
      'floor wall',
      '`runAgent` wall',
      'engine wall',
      ...peerTitles(loops.peers),
    ],
    rows,
  )
}
