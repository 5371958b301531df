import { askWithFetch, askWithSdk, askWithUndici, handWrittenLoop } from './hand-written-loop'
import { openInMemoryRun } from './in-memory-run'
import type { Loop } from './measure'
import type { Peer } from './open-peers'
import { loadPageTool } from './page-tool'

/** The loops that are compared. All ratios are relative to `floor`. */
export type Loops = {
  floor: Loop
  fetch: Loop
  sdk: Loop
  runAgent: Loop
  engine: Loop
  /** Other frameworks, when they are asked for. */
  peers: readonly Peer[]
}

const noLimit = 1_000

export async function openLoops(
  modelUrl: string,
  engine: Loop,
  peers: readonly Peer[],
): Promise<Loops> {
  const tool = await loadPageTool()
  const inMemory = await openInMemoryRun(modelUrl, noLimit)
  return {
    floor: handWrittenLoop(askWithUndici(modelUrl), tool),
    fetch: handWrittenLoop(askWithFetch(modelUrl), tool),
    sdk: handWrittenLoop(askWithSdk(modelUrl), tool),
    runAgent: (prompt) => inMemory(prompt),
    engine,
    peers,
  }
}

/** Returns the bytes that a hand-written run sends in all its requests. */
export async function bytesSent(modelUrl: string, prompt: string): Promise<number> {
  let bytes = 0
  const ask = askWithUndici(modelUrl, (length) => {
    bytes += length
  })
  await handWrittenLoop(ask, await loadPageTool())(prompt)
  return bytes
}
