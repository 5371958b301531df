import type { Loops } from './loops'
import { collectGarbage, type Loop, warmUp } from './measure'
import { number, printTable } from './print-table'
import { pagesPrompt } from './prompts'

const megabyte = 1024 * 1024

/** Prints the heap that is left after many runs, and the peak of the process meanwhile: growth in megabytes. */
export async function printMemory(loops: Loops): Promise<void> {
  const plans: [name: string, loop: Loop, rounds: number, times: number][] = [
    ['`runAgent`, 5 tool rounds', loops.runAgent, 5, 300],
    ['`runAgent`, 100 tool rounds', loops.runAgent, 100, 8],
    ['engine, 5 tool rounds', loops.engine, 5, 60],
  ]
  const rows: string[][] = []
  for (const [name, loop, rounds, times] of plans) {
    const growth = await growthOf(loop, pagesPrompt(rounds), times)
    rows.push([name, String(times), ...growth.map((bytes) => number(bytes / megabyte))])
  }
  console.log('\nMemory: growth over many runs one after the other, in MB\n')
  printTable(['loop', 'runs', 'heap after', 'RSS after', 'highest RSS'], rows)
}

async function growthOf(loop: Loop, prompt: string, times: number): Promise<number[]> {
  await warmUp(loop, prompt, Math.ceil(times / 4))
  const before = settledMemory()
  let mostRss = before.rss
  for (let run = 0; run < times; run++) {
    await loop(prompt)
    mostRss = Math.max(mostRss, process.memoryUsage.rss())
  }
  const after = settledMemory()
  return [after.heapUsed - before.heapUsed, after.rss - before.rss, mostRss - before.rss]
}

function settledMemory(): NodeJS.MemoryUsage {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage()
}
