import { expect, test } from 'vitest'
import type { ModelRequest } from '@/lib/protocol/message'
import { defaultModelParameters } from '@/lib/protocol/parameters'
import { HttpFailure } from './provider-error'
import { createPlainerSend } from './send-plainer'

const requestOf = (modelId: string): ModelRequest => ({
  ...{ modelId, system: '', messages: [], tools: [] },
  parameters: defaultModelParameters,
})

/** Counts the requests that a question takes: two until it is known what the server refuses. */
function asking() {
  let requests = 0
  const sendAt = createPlainerSend<'full' | 'plain'>({ plainer: () => 'plain', notes: () => [] })
  const send = sendAt('https://models.example', 'full', async (_request, dialect) => {
    requests += 1
    if (dialect === 'full') throw new HttpFailure(400, {}, 'unknown field')
    return new Response('')
  })
  return async (modelId: string): Promise<number> => {
    requests = 0
    const report = { mayResend: async () => true, note: () => undefined }
    await send(requestOf(modelId), new AbortController().signal, report)
    return requests
  }
}

test('what a server refuses is learned once, and the oldest is forgotten for what is new', async () => {
  const ask = asking()
  for (let index = 0; index < 500; index++) expect(await ask(`model-${index}`)).toBe(2)
  expect(await ask('model-0')).toBe(1)
  expect(await ask('one-more')).toBe(2)
  expect(await ask('one-more')).toBe(1)
  expect(await ask('model-1')).toBe(1)
  expect(await ask('model-0')).toBe(2)
})
