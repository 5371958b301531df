import { bytesSent, type Loops } from './loops'
import { compare } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

const megabyte = 1024 * 1024
/** The most rounds that the server allows (SPEC R3). */
const mostRounds = 50

/** Prints what long conversations cost. The cost per megabyte sent should not grow. */
export async function printRounds(modelUrl: string, loops: Loops): Promise<void> {
  const rows: string[][] = []
  for (const rounds of [5, 20, 50, 100]) {
    const prompt = pagesPrompt(rounds)
    const sent = (await bytesSent(modelUrl, prompt)) / megabyte
    const times = Math.max(2, Math.round(80 / rounds))
    const contestants = [
      { loop: loops.floor, times },
      { loop: loops.runAgent, times },
      ...(rounds <= mostRounds ? [{ loop: loops.engine, times: Math.round(times / 2) }] : []),
    ]
    const [floor, memory, durable] = await compare(contestants, { prompt, repetitions: 3 })
    if (!floor || !memory) continue
    rows.push([
      String(rounds),
      number(sent),
      number(floor.cpuMs),
      number(memory.cpuMs),
      ratio(memory.cpuMs, floor.cpuMs),
      number(floor.cpuMs / sent),
      number(memory.cpuMs / sent),
      durable ? number(durable.cpuMs) : '-',
      durable ? number(durable.cpuMs / sent) : '-',
    ])
  }
  console.log('\nLong conversations, 8 KB results: CPU ms per run and per megabyte sent\n')
  printTable(
    [
      'tool rounds',
      'MB sent',
      'floor',
      '`runAgent`',
      'vs floor',
      'floor per MB',
      '`runAgent` per MB',
      'engine',
      'engine per MB',
    ],
    rows,
  )
}
