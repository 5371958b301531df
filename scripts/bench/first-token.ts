import { Agent } from 'undici'
import type { RunUpdate } from '@/lib/protocol/run-delta'
import { median, quantile } from './measure'
import { number, printTable } from './print-table'
import { firstWordPrompt, sinceMoment } from './prompts'

/** Runs a prompt and hands out what it shows as it comes. */
export type Watch = (prompt: string, onUpdate: (update: RunUpdate) => void) => Promise<unknown>

const samples = 40

/** Prints how many milliseconds after the provider sent the first word of an answer it is shown. */
export async function printFirstToken(
  modelUrl: string,
  watches: readonly [name: string, watch: Watch][],
): Promise<void> {
  const rows = [delayRow('hand-written, raw bytes', await bareDelays(modelUrl))]
  for (const [name, watch] of watches) rows.push(delayRow(name, await delaysOf(watch)))
  console.log(
    '\nFirst word: ms from the moment the model server sends it to the moment it is shown\n',
  )
  printTable(['shown by', 'median (p50)', 'p95', 'samples'], rows)
}

/** Returns the milliseconds between the model server sending its first word and the loop showing it. */
async function delaysOf(watch: Watch): Promise<number[]> {
  const warmUp = 5
  const delays: number[] = []
  for (let sample = -warmUp; sample < samples; sample++) {
    let delay: number | null = null
    let shown = ''
    await watch(firstWordPrompt, (event) => {
      if (event.type !== 'text-delta') return
      shown += event.data.text
      delay ??= sinceMoment(shown)
    })
    if (delay === null) throw new Error('A run showed no first word.')
    if (sample >= 0) delays.push(delay)
  }
  return delays
}

/** Returns by how many milliseconds this process receives each raw piece later than it was sent, without any loop. */
async function bareDelays(modelUrl: string): Promise<number[]> {
  const agent = new Agent()
  const delays: number[] = []
  for (let sample = 0; sample < samples; sample++) {
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
    let delay: number | null = null
    for await (const bytes of body) {
      delay ??= sinceMoment(/"content":"(\d+_)/.exec(String(bytes))?.[1] ?? '')
    }
    if (delay !== null) delays.push(delay)
  }
  return delays
}

function delayRow(name: string, delays: readonly number[]): string[] {
  return [name, number(median(delays)), number(quantile(delays, 0.95)), String(delays.length)]
}
