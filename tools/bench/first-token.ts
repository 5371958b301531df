import { Agent } from 'undici'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import { noteGoal } from './goals'
import { median, quantile } from './measure'
import { number, printTable } from './print-table'
import { firstWordPrompt, heldWordPrompt, sinceMoment } from './prompts'

/** Runs a prompt and hands out what it shows as it comes. */
export type Watch = (prompt: string, onUpdate: (update: RunUpdate) => void) => Promise<unknown>

const samples = 40

/** Milliseconds until the first word was shown: since the model server sent it, and since the run was started. */
type Delay = { sinceSent: number; sinceStart: number }

/** Prints how many milliseconds after the provider sent the first word of an answer it is shown. */
export async function printFirstToken(
  modelUrl: string,
  watches: readonly [name: string, watch: Watch][],
): Promise<void> {
  const bare = await bareDelays(modelUrl)
  const rows = [delayRow('hand-written, raw bytes', bare)]
  for (const [name, watch] of watches) {
    const delays = await delaysOf(watch, firstWordPrompt, /^\s*\d+_/)
    rows.push(delayRow(name, delays))
    const later = median(delays.map(fromStart)) - median(bare.map(fromStart))
    noteGoal(`first word, ${name}: later than hand-written, from the start`, later, 5, 'ms')
    const held = await delaysOf(watch, heldWordPrompt, /^\s*\d+_canary/)
    rows.push(delayRow(`${name}; a word that may begin a canary`, held))
  }
  console.log('\nFirst word: ms until it is shown\n')
  printTable(
    ['shown by', 'since it was sent (p50)', 'p95', 'since the start (p50)', 'p95', 'samples'],
    rows,
  )
}

const fromStart = ({ sinceStart }: Delay) => sinceStart
const fromSending = ({ sinceSent }: Delay) => sinceSent

/** Returns how long after its sending, and after the start of its run, the word is shown whole. */
async function delaysOf(watch: Watch, prompt: string, word: RegExp): Promise<Delay[]> {
  const warmUp = 5
  const delays: Delay[] = []
  for (let sample = -warmUp; sample < samples; sample++) {
    let delay: Delay | null = null
    let shown = ''
    const startedAt = performance.now()
    await watch(prompt, (update) => {
      if (update.type !== 'text-delta') return
      shown += update.data.text
      if (!delay && word.test(shown)) delay = delayOf(shown, startedAt)
    })
    if (delay === null) throw new Error('A run showed no first word.')
    if (sample >= 0) delays.push(delay)
  }
  return delays
}

function delayOf(shown: string, startedAt: number): Delay | null {
  const sinceSent = sinceMoment(shown)
  return sinceSent === null ? null : { sinceSent, sinceStart: performance.now() - startedAt }
}

/** Returns by how many milliseconds this process receives each raw piece later than it was sent, without any loop. */
async function bareDelays(modelUrl: string): Promise<Delay[]> {
  const agent = new Agent()
  const delays: Delay[] = []
  for (let sample = 0; sample < samples; sample++) {
    const startedAt = performance.now()
    const { body } = await agent.request({
      origin: modelUrl,
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'test-model',
        stream: true,
        messages: [{ role: 'user', content: firstWordPrompt }],
      }),
    })
    let delay: Delay | null = null
    for await (const bytes of body) {
      delay ??= delayOf(/"content":"(\d+_)/.exec(String(bytes))?.[1] ?? '', startedAt)
    }
    if (delay !== null) delays.push(delay)
  }
  return delays
}

function delayRow(name: string, delays: readonly Delay[]): string[] {
  const figures = [delays.map(fromSending), delays.map(fromStart)].flatMap((values) => [
    number(median(values)),
    number(quantile(values, 0.95)),
  ])
  return [name, ...figures, String(delays.length)]
}
