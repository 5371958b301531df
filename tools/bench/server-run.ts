import { Agent } from 'undici'
import type { RunUpdate } from '@/lib/protocol/run/run-delta'
import { configuration } from './scratch-site'

export type Server = { baseUrl: string; apiKey: string }

const agent = new Agent()

/** Makes one run over the HTTP API of a server, and follows it as server-sent events. Resolves with the last answer. */
export async function serverRun(
  { baseUrl, apiKey }: Server,
  prompt: string,
  onUpdate: (update: RunUpdate) => void = () => undefined,
): Promise<string> {
  const authorization = `Bearer ${apiKey}`
  const started = await agent.request({
    origin: baseUrl,
    path: '/api/v1/runs',
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ configuration, prompt, tools: ['read_page'], maxRounds: 50 }),
  })
  if (started.statusCode !== 202) throw new Error(`No run: ${await started.body.text()}`)
  const { runId } = (await started.body.json()) as { runId: string }
  const stream = await agent.request({
    origin: baseUrl,
    path: `/api/v1/runs/${runId}/events`,
    method: 'GET',
    headers: { authorization },
  })
  let answer = ''
  for await (const event of readEvents(stream.body)) {
    onUpdate(event)
    if (event.type === 'message') answer = event.data.text
  }
  return answer
}

async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<RunUpdate> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const bytes of body) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const at = frame.indexOf('data: ')
      if (at !== -1) yield JSON.parse(frame.slice(at + 'data: '.length))
    }
  }
}
