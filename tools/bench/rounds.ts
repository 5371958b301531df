import { noteGoal } from './goals'
import { bytesSent, type Loops } from './loops'
import { compare } from './measure'
import { peerFigures, peerTitles } from './open-peers'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

const megabyte = 1024 * 1024

/** Prints what long conversations cost. The cost per megabyte sent should not grow. */
export async function printRounds(modelUrl: string, loops: Loops): Promise<void> {
  const rows: string[][] = []
  for (const rounds of [5, 20, 50, 100]) {
    const prompt = pagesPrompt(rounds)
    const sent = (await bytesSent(modelUrl, prompt)) / megabyte
    const times = Math.max(2, Math.round(80 / rounds))
    const contestants = [
      { loop: loops.floor, times },
      { loop: loops.fetch, times },
      { loop: loops.runAgent, times },
      { loop: loops.engine, times: Math.ceil(times / 2) },
      ...loops.peers.map(([, loop]) => ({ loop, times })),
    ]
    const [floor, fetch, memory, durable, ...peers] = await compare(contestants, {
      prompt,
      repetitions: 3,
    })
    if (!floor || !fetch || !memory || !durable) continue
    if (rounds === 100) {
      noteGoal('`runAgent`, 100 rounds', memory.cpuMs / fetch.cpuMs, 0.3)
      noteGoal('engine, 100 rounds', durable.cpuMs / fetch.cpuMs, 0.6)
    }
    rows.push([
      String(rounds),
      number(sent),
      number(floor.cpuMs),
      number(fetch.cpuMs),
      number(memory.cpuMs),
      ratio(memory.cpuMs, fetch.cpuMs),
      number(durable.cpuMs),
      ratio(durable.cpuMs, fetch.cpuMs),
      number(memory.cpuMs / sent),
      number(durable.cpuMs / sent),
      ...peerFigures(peers, fetch),
    ])
  }
  console.log('\nLong conversations, 8 KB results: CPU ms per run and per megabyte sent\n')
  printTable(
    [
      'tool rounds',
      'MB sent',
      'floor',
      '`fetch`',
      '`runAgent`',
      'vs `fetch`',
      'engine',
      'vs `fetch`',
      '`runAgent` per MB',
      'engine per MB',
      ...peerTitles(loops.peers),
    ],
    rows,
  )
}
