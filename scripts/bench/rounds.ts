import { bytesSent, type Loops } from './loops'
import { collectGarbage, compare, type Loop } from './measure'
import { number, printTable, ratio } from './print-table'
import { pagesPrompt } from './prompts'

const megabyte = 1024 * 1024
/** What the server allows (SPEC R3). */
const mostRounds = 50

/** What long conversations cost: no more for each megabyte sent, and no memory that stays. */
export async function printRounds(modelUrl: string, loops: Loops, engine: Loop): Promise<void> {
  const rows: string[][] = []
  for (const rounds of [5, 20, 50, 100]) {
    const prompt = pagesPrompt(rounds)
    const sent = (await bytesSent(modelUrl, prompt)) / megabyte
    const measured = [loops.floor, loops.runAgent, ...(rounds <= mostRounds ? [engine] : [])]
    const plan = { prompt, times: Math.max(2, Math.round(60 / rounds)), repetitions: 3 }
    const [floor, memory, durable] = await compare(measured, plan)
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
  console.log('\nLong conversations, 8 KB results: CPU ms a run and a megabyte sent\n')
  printTable(
    [
      'tool rounds',
      'MB sent',
      'floor',
      'runAgent',
      'ratio',
      'floor a MB',
      'runAgent a MB',
      'engine',
      'engine a MB',
    ],
    rows,
  )
}

/** Heap that is left after many runs, and the most that the process took meanwhile, as growth in megabytes. */
export async function printMemory(loops: Loops, engine: Loop): Promise<void> {
  const rows: string[][] = []
  const plans: [string, Loop, number, number][] = [
    ['runAgent, 5 rounds', loops.runAgent, 5, 300],
    ['runAgent, 100 rounds', loops.runAgent, 100, 12],
    ['engine, 5 rounds', engine, 5, 150],
  ]
  for (const [name, loop, rounds, times] of plans) {
    const prompt = pagesPrompt(rounds)
    for (let run = 0; run < times / 6; run++) await loop(prompt)
    const before = settledMemory()
    let peak = before.rss
    for (let run = 0; run < times; run++) {
      await loop(prompt)
      peak = Math.max(peak, process.memoryUsage.rss())
    }
    const after = settledMemory()
    const growth = (from: number, to: number) => number((to - from) / megabyte)
    rows.push([
      name,
      String(times),
      growth(before.heapUsed, after.heapUsed),
      growth(before.rss, after.rss),
      growth(before.rss, peak),
    ])
  }
  console.log('\nMemory: growth over many runs, in MB, after a sixth as many to warm up\n')
  printTable(['loop', 'runs', 'heap after', 'RSS after', 'RSS at most'], rows)
}

function settledMemory(): NodeJS.MemoryUsage {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage()
}
