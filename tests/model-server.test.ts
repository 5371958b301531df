import { afterEach, expect, it } from 'vitest'
import { turnOfPrompt } from './support/model-server/prompt-directives'
import { type ModelServer, startModelServer } from './support/model-server/start-model-server'

let server: ModelServer | undefined
afterEach(() => server?.close())

function ask(
  url: string,
  prompt: string,
  messages: object[] = [],
  tools: string[] = ['fetch_logs'],
) {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: prompt }, ...messages],
      tools: tools.map((name) => ({ type: 'function', function: { name } })),
    }),
  })
}

it('fails a test that leaves a scripted turn unused or asks for one too many', async () => {
  server = await startModelServer({ turns: [{ text: 'One' }] })
  expect(() => server?.assertDone()).toThrow('never asked for')
  expect(await (await ask(server.url, 'x')).text()).toContain('One')
  server.assertDone()
  expect((await ask(server.url, 'x')).status).toBe(500)
  expect(server.requests.map((request) => request.unexpected)).toEqual([false, true])
  expect(() => server?.assertDone()).toThrow('no script step')
})

it('takes its turns from the prompt, after those that were queued', async () => {
  server = await startModelServer({ script: turnOfPrompt })
  const prompt =
    '[[call fetch_logs {"a":[[1]]}]] [[call#none list_users]] [[then]] [[say: got {{results}} of {{offer}}]]'
  await fetch(`${server.url}/__script`, {
    method: 'POST',
    body: JSON.stringify({ turns: [{ status: 429, headers: { 'retry-after': '1' } }] }),
  })
  const refused = await ask(server.url, prompt)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1'])
  const first = await (await ask(server.url, prompt)).text()
  expect(first).toContain('"name":"fetch_logs"')
  expect(first).toContain('[[1]]')
  const round = [
    { role: 'assistant', content: null },
    { role: 'tool', content: 'three lines' },
  ]
  const second = await (await ask(server.url, prompt, round)).text()
  const words = [...second.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1])
  expect(words.join('')).toBe('got three lines of fetch_logs')
})

it('says the last words of the script when it may call nothing', async () => {
  server = await startModelServer({ script: turnOfPrompt })
  const prompt = '[[call fetch_logs]] [[always]] [[then]] [[say: bye]]'
  expect(await (await ask(server.url, prompt, [], [])).text()).toContain('bye')
})

it('holds half of an answer until its gate is opened', async () => {
  server = await startModelServer({ script: turnOfPrompt })
  const { url } = server
  const answer = await ask(url, '[[until noon]] [[say: one two three four]]')
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes('one')) text += (await reader?.read())?.value ?? ''
  expect(text).not.toContain('[DONE]')
  await fetch(`${url}/__open`, { method: 'POST', body: JSON.stringify({ name: 'noon' }) })
  while (!text.includes('[DONE]')) text += (await reader?.read())?.value ?? ''
  expect((await reader?.read())?.done).toBe(true)
  expect(await (await ask(url, '[[until noon]] [[say: again]]')).text()).toContain('[DONE]')
})
